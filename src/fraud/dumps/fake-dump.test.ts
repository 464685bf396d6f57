import { describe, expect, it } from 'vitest';
import {
  expectMonotonic,
  expectOrderless,
  inspectLinked,
  measuredIn,
  rolesIn,
  scorerOf,
  sigmoid,
  signaturesIn,
} from '../../../tests/support/fraud-tests.ts';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aSell,
  type CaseDraft,
  HOUR_MS,
  LAUNCH_SLOT,
  sol,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import { asSlot, asUsdNano } from '../../model/units.ts';
import type { Link } from '../links/clusters.ts';
import { FAKE_DUMP_TABLE, fakeDump } from './fake-dump.ts';

const SALE_SLOT = LAUNCH_SLOT + 2_000;
const PEOPLE = Array.from({ length: 10 }, (_, at) => `person${at}`);
/** SOL for a part of the supply of 10^9 tokens at a price in millionths of a SOL. */
const costOf = (share: number, micro: number) => sol(share * 1_000 * micro);

interface StoryDraft {
  readonly seller?: string;
  readonly sold?: number;
  readonly bought?: number;
  /** Prices in millionths of a SOL: before, of the sale, after it, of the buy-back. */
  readonly prices?: Partial<Record<'before' | 'sale' | 'low' | 'back', number>>;
  readonly held?: number;
  readonly buySlot?: number;
  /** Part of the buy-back by the seller itself. */
  readonly ownPart?: number;
  readonly rest?: CaseDraft;
}

/**
 * Ten people hold 1 % each, the creator 10 %. It sells 8 % at 0.8 while the price falls from 1 to
 * 0.6; people sell 0.98 % net; two of the crew buy 8.4 % at 0.6 a minute later.
 */
function aStory(draft: StoryDraft = {}): CaseDraft {
  const { seller = 'creator', sold = 0.08, bought = 0.084, held = 0.1, ownPart = 0 } = draft;
  const { buySlot = SALE_SLOT + 150 } = draft;
  const { before = 1, sale = 0.8, low = 0.6, back = 0.6 } = draft.prices ?? {};
  const { trades = [], ...rest } = draft.rest ?? {};
  const buyers = [
    { wallet: 'b1', share: (bought * (1 - ownPart)) / 2 },
    { wallet: 'b2', share: (bought * (1 - ownPart)) / 2 },
    { wallet: seller, share: bought * ownPart },
  ].filter(({ share }) => share > 0);
  return {
    trades: [
      ...PEOPLE.map((wallet, txIndex) =>
        aBuy(wallet, { txIndex, baseRaw: supplyShare(0.01), lamports: costOf(0.01, before) }),
      ),
      aBuy(seller, { txIndex: 20, baseRaw: supplyShare(held), lamports: costOf(held, before) }),
      aBuy('passer', {
        ...{ slot: SALE_SLOT - 100, baseRaw: supplyShare(0.001), priceSol: before / 1e6 },
        lamports: costOf(0.001, before),
      }),
      aSell('passer', {
        ...{ slot: SALE_SLOT - 99, baseRaw: supplyShare(0.001), priceSol: before / 1e6 },
        lamports: costOf(0.001, before),
      }),
      aSell(seller, {
        ...{ slot: SALE_SLOT, baseRaw: supplyShare(sold), priceSol: low / 1e6 },
        lamports: costOf(sold, sale),
      }),
      aSell('person0', { slot: SALE_SLOT + 20, baseRaw: supplyShare(0.0098) }),
      ...buyers.map(({ wallet, share }, txIndex) =>
        aBuy(wallet, {
          ...{ slot: buySlot, txIndex, baseRaw: supplyShare(share) },
          lamports: costOf(share, back),
        }),
      ),
      ...trades,
    ],
    ...rest,
  };
}

const crewOf = (seller = 'creator') => linksFrom(seller, ['b1', 'b2']);
const inspect = (draft: StoryDraft = {}, links: readonly Link[] = crewOf(draft.seller)) =>
  fakeDump.inspect(readingOf(aCase(aStory(draft)), links));

function foundIn(draft: StoryDraft = {}, links?: readonly Link[]) {
  const [finding, ...others] = inspect(draft, links);
  if (finding === undefined || others.length > 0) throw new Error('not one finding');
  return finding;
}

describe('the scoring table of METHODS §7.6', () => {
  const score = scorerOf(FAKE_DUMP_TABLE);
  /** The measure that gives this value of the induced feature. */
  const induced = (value: number) => 0.02 + value * 0.13;

  it('gives 0.919 for a visible drop of 40 %, 105 % back at 25 % less, with induced sales', () => {
    const whole = { drop: 0.4, rebuy: 1.05, discount: 0.25, link: 0.9, visible: 1 };
    expect(score({ ...whole, induced: induced(0.6) })).toBeCloseTo(0.919, 3);
  });

  // METHODS does not give the induced sales here: a fifth is the round number that gives the
  // result.
  it('gives 0.126 for a drop of 20 %, 85 % back at 6 % less, by a weakly linked wallet', () => {
    const weak = { drop: 0.2, rebuy: 0.85, discount: 0.06, link: 0.62, visible: 0 };
    expect(score({ ...weak, induced: induced(0.2) })).toBeCloseTo(0.126, 3);
  });

  it('is monotonic in every feature', () => {
    expectMonotonic(FAKE_DUMP_TABLE, ['maker', 'marketMove']);
  });
});

describe('a dump that is bought back by other wallets', () => {
  it('is reported with every feature measured from the lists: the example of METHODS', () => {
    const finding = foundIn();
    const measured = {
      ...{ drop: 0.4, rebuy: 1.05, discount: 0.25, link: 0.9, visible: 1, maker: 0, marketMove: 0 },
      // 0.98 % sold of 10 % held.
      induced: 0.098,
    };
    for (const [name, value] of Object.entries(measured)) {
      expect(measuredIn(finding, name), name).toBeCloseTo(value, 9);
    }
    expect(finding.rawScore).toBeCloseTo(0.919, 3);
    expect(finding.patternStartSlot).toBe(SALE_SLOT);
    expect(finding.clusterRoot).toBe('b1');
  });

  it('assigns roles to the seller and the buyers', () => {
    expect(rolesIn(foundIn())).toEqual({ creator: 'attacker', b1: 'bundler', b2: 'bundler' });
  });

  it('lists sales and purchases', () => {
    expect(signaturesIn(foundIn(), 'volume_manipulation')).toEqual([
      `sell of creator at ${SALE_SLOT}:0`,
      `buy of b1 at ${SALE_SLOT + 150}:0`,
      `buy of b2 at ${SALE_SLOT + 150}:1`,
    ]);
  });

  it('has weights that sum to 1', () => {
    const sum = foundIn().evidence.reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(1, 9);
  });

  it('is found with links from the built-in link families', () => {
    const paid = { fundings: [aFunding('creator', { lamports: sol(60) })] };
    const mintCase = aCase(aStory({ rest: { wallets: { b1: paid, b2: paid } } }));
    const [finding] = inspectLinked(fakeDump, mintCase);
    expect(finding?.confidence).toBeGreaterThan(0.9);
  });

  it('does not depend on the order of lists', () => {
    expectOrderless(fakeDump, aCase(aStory()), crewOf());
  });

  it('is found twice if the crew does it twice, within ten minutes or not', () => {
    for (const later of [700, 4_000]) {
      const slot = SALE_SLOT + later;
      const again = [
        aBuy('passer', {
          ...{ slot: slot - 10, baseRaw: supplyShare(0.02), priceSol: 1.2e-6 },
          lamports: costOf(0.02, 1.2),
        }),
        aSell('b1', {
          ...{ slot, baseRaw: supplyShare(0.04), priceSol: 0.5e-6 },
          lamports: costOf(0.04, 0.8),
        }),
        aBuy('creator', {
          ...{ slot: slot + 50, baseRaw: supplyShare(0.04) },
          lamports: costOf(0.04, 0.5),
        }),
      ];
      const found = inspect({ rest: { trades: again } });
      expect(found.map(({ patternStartSlot }) => patternStartSlot).sort()).toEqual([
        SALE_SLOT,
        slot,
      ]);
    }
  });
});

describe('the gates of a fake dump', () => {
  it.each([
    ['1.5 % of the supply', { sold: 0.015, bought: 0.015, held: 0.5 }, 1],
    ['less of a large stock', { sold: 0.0149, bought: 0.0149, held: 0.5 }, 0],
    ['a fifth of a stock', { sold: 0.012, bought: 0.012, held: 0.06 }, 1],
    ['less than a fifth of it', { sold: 0.0119, bought: 0.0119, held: 0.06 }, 0],
    ['0.25 % of the supply, all there is', { sold: 0.0025, bought: 0.0025, held: 0.0025 }, 1],
    ['less than that', { sold: 0.0024, bought: 0.0024, held: 0.0024 }, 0],
  ])('need a sale of enough: %s', (_, draft, count) => {
    expect(inspect(draft)).toHaveLength(count);
  });

  it.each([
    ['a fall of more than 15 %', { low: 0.849 }, 1],
    ['less', { low: 0.851 }, 0],
    ['a purchase at 5 % less than the sale', { sale: 0.8, back: 0.759 }, 1],
    ['dearer', { sale: 0.8, back: 0.761 }, 0],
  ])('need a fall and a gain: %s', (_, prices, count) => {
    expect(inspect({ prices })).toHaveLength(count);
  });

  it.each([
    ['80 % of it', { bought: 0.064, held: 0.5 }, 1],
    ['less', { bought: 0.0639, held: 0.5 }, 0],
    ['all that 95 % of the stock needs', { bought: 0.075 }, 1],
    ['less than that', { bought: 0.0749 }, 0],
  ])('need enough back: %s', (_, draft, count) => {
    expect(inspect(draft)).toHaveLength(count);
  });

  it('need half of it bought back by other wallets', () => {
    expect(inspect({ ownPart: 0.5 })).toHaveLength(1);
    expect(inspect({ ownPart: 0.51 })).toHaveLength(0);
  });

  it('need the buy-back within an hour of the lowest price', () => {
    expect(inspect({ buySlot: SALE_SLOT + HOUR_MS / 400 })).toHaveLength(1);
    expect(inspect({ buySlot: SALE_SLOT + HOUR_MS / 400 + 1 })).toHaveLength(0);
  });

  it('need a twentieth of the supply if the creator is not in the crew', () => {
    const draft = { seller: 'whale', sold: 0.04, bought: 0.04 };
    expect(inspect({ ...draft, held: 0.05 })).toHaveLength(1);
    expect(inspect({ ...draft, held: 0.0499 })).toHaveLength(0);
  });

  it('need a price before the sale', () => {
    const story = aStory();
    const trades = (story.trades ?? []).map((trade) =>
      trade.wallet === 'passer' ? { ...trade, priceSol: null } : trade,
    );
    expect(fakeDump.inspect(readingOf(aCase({ ...story, trades }), crewOf()))).toEqual([]);
  });
});

describe('what resembles a fake dump', () => {
  it('is not reported when unrelated wallets buy the dip', () => {
    expect(inspect({}, linksFrom('creator', ['helper']))).toEqual([]);
  });

  it('is below 0.5 for a swing trader with two wallets', () => {
    const seller = 'swinger';
    const draft = {
      seller,
      held: 0.05,
      sold: 0.02,
      bought: 0.018,
      prices: { low: 0.84, sale: 0.92, back: 0.84 },
    };
    const links = linksFrom(seller, ['b1', 'b2'], { strength: 0.62 });
    const calm = aBuy('person1', { slot: SALE_SLOT + 30, baseRaw: supplyShare(0.01) });
    const [finding] = inspect({ ...draft, rest: { trades: [calm] } }, links);
    expect(finding?.confidence).toBeLessThan(0.5);
  });

  it('is reduced by a day of market making without a profit', () => {
    // Twelve earlier cycles, bought at 1 and sold alternately at 1.01 and 0.99.
    const turns = Array.from({ length: 12 }, (_, at) => {
      const slot = LAUNCH_SLOT + 10 + at * 20;
      const baseRaw = supplyShare(0.002);
      return [
        aBuy('b1', { slot, baseRaw, lamports: costOf(0.002, 1) }),
        aSell('b1', {
          slot: slot + 5,
          baseRaw,
          lamports: costOf(0.002, at % 2 === 0 ? 1.01 : 0.99),
        }),
      ];
    }).flat();
    // Held at launch before the day in question.
    const calm = foundIn();
    const maker = foundIn({ rest: { trades: turns } });
    // The stock of the crew has lost two fifths: the mean of the day is a loss, as a maker's is.
    expect(measuredIn(maker, 'maker')).toBe(1);
    expect(maker.rawScore).toBeCloseTo(
      sigmoid(Math.log(calm.rawScore / (1 - calm.rawScore)) - 1.8),
      9,
    );
    expect(maker.evidence.at(-1)?.description).toContain('Reduced by many purchases and sales');
  });

  it('is reduced by a fall of SOL in the same time', () => {
    const withSolUsd = (after: number) => {
      const story = aStory();
      const trades = (story.trades ?? []).map((trade) => {
        const solUsd = trade.slot > SALE_SLOT ? after : 200;
        return { ...trade, usd: asUsdNano(trade.lamports * BigInt(solUsd)) };
      });
      const [finding] = fakeDump.inspect(readingOf(aCase({ ...story, trades }), crewOf()));
      return finding && measuredIn(finding, 'marketMove');
    };
    expect(withSolUsd(190)).toBe(1);
    expect(withSolUsd(191)).toBe(0);
  });
});

describe('a dump that is bought back with money from exchanges', () => {
  const buyers = Array.from({ length: 6 }, (_, at) => `k${at}`);
  const washed = (seller = 'creator', count = 6): StoryDraft => ({
    seller,
    bought: 0,
    rest: {
      trades: buyers.slice(0, count).map((wallet, at) =>
        aBuy(wallet, {
          ...{ slot: SALE_SLOT + 150 + at, baseRaw: supplyShare(0.084 / count) },
          lamports: costOf(0.084 / count, 0.6),
        }),
      ),
      wallets: {
        exchange: { class: 'cex' },
        ...Object.fromEntries(
          buyers.map((wallet) => [
            wallet,
            { fundings: [aFunding('exchange', { slot: asSlot(SALE_SLOT - 900) })] },
          ]),
        ),
      },
    },
  });

  it('is found by one burst of first buyers with fresh money, linked like a batch', () => {
    const finding = foundIn(washed(), []);
    expect(measuredIn(finding, 'link')).toBeCloseTo(0.6, 12);
    expect(measuredIn(finding, 'rebuy')).toBeCloseTo(1.05, 9);
    expect(finding.clusterRoot).toBe('creator');
    expect(rolesIn(finding)).toMatchObject({ creator: 'attacker', k0: 'bundler', k5: 'bundler' });
  });

  it('is not reported if fewer than five buy, or another wallet than the creator sold', () => {
    expect(inspect(washed('creator', 4), [])).toEqual([]);
    expect(inspect(washed('whale'), [])).toEqual([]);
  });
});
