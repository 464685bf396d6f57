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
  aPayment,
  aSell,
  aTransfer,
  type CaseDraft,
  LAUNCH_SLOT,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import type { BundleLevel } from '../../model/derived.ts';
import { asSlot } from '../../model/units.ts';
import type { Link } from '../links/clusters.ts';
import { BUNDLE_AND_LAUNDER_TABLE, bundleAndLaunder } from './bundle-and-launder.ts';

const SALE_SLOT = LAUNCH_SLOT + 1_000;
const JS = ['j1', 'j2', 'j3', 'j4'] as const;

interface StoryDraft {
  readonly soldShare?: number;
  readonly boughtShare?: number;
  readonly buySlot?: number;
  readonly level?: BundleLevel | null;
  /** False if the buyers use their own money. */
  readonly isPaid?: boolean;
  readonly rest?: CaseDraft;
}

/**
 * The creator sells 8 % of the supply for 10 SOL in two sales, 4 seconds apart; the money goes
 * through `source` to four fresh wallets, which buy 7.6 % for 8 SOL in one bundle 290 slots later.
 */
function aStory(draft: StoryDraft = {}): CaseDraft {
  const { soldShare = 0.08, boughtShare = 0.076, level = 'L2', isPaid = true } = draft;
  const { buySlot = SALE_SLOT + 300 } = draft;
  const group = level === null ? null : { id: 'back', level };
  const { trades = [], payments = [], ...rest } = draft.rest ?? {};
  return {
    trades: [
      aBuy('creator', { baseRaw: supplyShare(0.1), lamports: sol(3), txIndex: 1 }),
      ...[0, 10].map((at) =>
        aSell('creator', {
          slot: SALE_SLOT + at,
          baseRaw: supplyShare(soldShare / 2),
          lamports: sol(5),
        }),
      ),
      aBuy('stranger', { slot: SALE_SLOT + 20, lamports: sol(18) }),
      ...JS.map((wallet, txIndex) =>
        aBuy(wallet, {
          ...{ slot: buySlot, txIndex, group, lamports: sol(2) },
          baseRaw: supplyShare(boughtShare / JS.length),
        }),
      ),
      ...trades,
    ],
    payments: [
      ...(isPaid
        ? [
            aPayment('creator', 'source', { slot: SALE_SLOT + 50, lamports: sol(9.5) }),
            ...JS.map((wallet, txIndex) =>
              aPayment('source', wallet, { slot: SALE_SLOT + 60, txIndex, lamports: sol(2.2) }),
            ),
          ]
        : []),
      ...payments,
    ],
    wallets: Object.fromEntries(
      JS.map((wallet) => [
        wallet,
        {
          firstSeenMs: timeOf(SALE_SLOT + 60),
          fundings: isPaid
            ? [aFunding('source', { slot: asSlot(SALE_SLOT + 60), lamports: sol(2.2) })]
            : [],
        },
      ]),
    ),
    ...rest,
  };
}

const crew = [...linksFrom('creator', ['source']), ...linksFrom('source', JS)];
const inspect = (draft: StoryDraft = {}, links: readonly Link[] = crew) =>
  bundleAndLaunder.inspect(readingOf(aCase(aStory(draft)), links));

function foundIn(draft: StoryDraft = {}, links: readonly Link[] = crew) {
  const [finding, ...others] = inspect(draft, links);
  if (finding === undefined || others.length > 0) throw new Error('not one finding');
  return finding;
}

describe('the scoring table of METHODS §7.5', () => {
  const score = scorerOf(BUNDLE_AND_LAUNDER_TABLE);

  it('gives 0.979 for nine tenths bought back with the proceeds by hidden fresh wallets', () => {
    const whole = {
      ...{ rebuy: 0.9, flow: 0.8, atomicity: 0.9, delay: 120, artificial: 0.4 },
      ...{ hidden: 1, fresh: 1, link: 0.8 },
    };
    expect(score(whole)).toBeCloseTo(0.979, 3);
  });

  // METHODS says "no flow, no link": nine tenths bought by wallets without payments, eight minutes
  // after the sale, are the round numbers that give the result.
  it('gives 0.109 for people who buy the dip', () => {
    expect(score({ rebuy: 0.9, delay: 480, hidden: 1 })).toBeCloseTo(0.109, 3);
  });

  it('is monotonic in every feature', () => {
    expectMonotonic(BUNDLE_AND_LAUNDER_TABLE, ['quickProfit']);
  });
});

describe('a sale that is bought back with its proceeds', () => {
  it('is reported with every feature measured from the lists', () => {
    const finding = foundIn();
    const measured = {
      rebuy: 0.95,
      flow: 1,
      atomicity: 0.9,
      delay: 116,
      artificial: 0.5,
      hidden: 1,
      fresh: 1,
      link: 0.9,
      quickProfit: 0,
    };
    for (const [name, value] of Object.entries(measured)) {
      expect(measuredIn(finding, name), name).toBeCloseTo(value, 9);
    }
    const delay = 1 - (116 - 60) / 1740;
    const logit = 1.4 + 2.2 + 1.4 * 0.9 + 0.6 * delay + 0.8 + 0.4 + 0.5 + 1.6 * 0.9 - 4.2;
    expect(finding.rawScore).toBeCloseTo(sigmoid(logit), 12);
    expect(finding.patternStartSlot).toBe(SALE_SLOT);
    expect(finding.clusterRoot).toBe('creator');
  });

  it('assigns roles to the seller, the payer and the buyers', () => {
    expect(rolesIn(foundIn())).toEqual({
      creator: 'attacker',
      source: 'funding_source',
      ...Object.fromEntries(JS.map((wallet) => [wallet, 'bundler'])),
    });
  });

  it('lists the route of the SOL in order', () => {
    expect(signaturesIn(foundIn(), 'circular_flow')).toEqual([
      `sell of creator at ${SALE_SLOT}:0`,
      `sell of creator at ${SALE_SLOT + 10}:0`,
      `lamports of creator to source at ${SALE_SLOT + 50}:0`,
      ...JS.map((wallet, at) => `lamports of source to ${wallet} at ${SALE_SLOT + 60}:${at}`),
      ...JS.map((wallet, at) => `buy of ${wallet} at ${SALE_SLOT + 300}:${at}`),
    ]);
  });

  it('has weights that sum to 1', () => {
    const sum = foundIn().evidence.reduce((total, { weight }) => total + weight, 0);
    expect(sum).toBeCloseTo(1, 9);
  });

  it('is found with links from the built-in link families', () => {
    const mintCase = aCase(aStory());
    const [finding] = inspectLinked(bundleAndLaunder, mintCase);
    expect(finding?.confidence).toBeGreaterThan(0.9);
  });

  it('does not depend on the order of lists', () => {
    expectOrderless(bundleAndLaunder, aCase(aStory()), crew);
  });

  it('counts no hop for shells before the buyers', () => {
    const payments = ['s1', 's2', 's3', 's4', 's5'].map((to, at, all) =>
      aPayment(all[at - 1] ?? 'creator', to, { slot: SALE_SLOT + 50 + at, lamports: sol(9) }),
    );
    const last = JS.map((wallet, txIndex) =>
      aPayment('s5', wallet, { slot: SALE_SLOT + 80, txIndex, lamports: sol(2.2) }),
    );
    const story = aStory({ isPaid: false, rest: { payments: [...payments, ...last] } });
    const shells = Object.fromEntries(
      ['s1', 's2', 's3', 's4'].map((one) => [one, { isShell: true }]),
    );
    const flowWith = (wallets: CaseDraft['wallets']) => {
      const mintCase = aCase({ ...story, wallets: { ...story.wallets, ...wallets } });
      const [finding] = bundleAndLaunder.inspect(readingOf(mintCase, linksFrom('creator', JS)));
      return finding && measuredIn(finding, 'flow');
    };
    // creator → s1 is one, s1 … s4 are shells, s5 → buyer is the second: two of six payments count.
    expect(flowWith(shells)).toBe(1);
    expect(flowWith({})).toBe(0);
  });

  it('is found through a burst of linked buyers without a shared tip', () => {
    const finding = foundIn({ level: null });
    expect(measuredIn(finding, 'atomicity')).toBe(0.5);
  });

  it('is not hidden if the creator pays a buyer directly', () => {
    const payment = aPayment('creator', 'j2', { slot: SALE_SLOT + 70, lamports: sol(0.1) });
    const finding = foundIn({ rest: { payments: [payment] } });
    expect(measuredIn(finding, 'hidden')).toBe(0);
  });

  it('is capped at 0.85 if payments are unknown', () => {
    const finding = foundIn({ isPaid: false, rest: { isFundingKnown: false } });
    expect(measuredIn(finding, 'flow')).toBeNull();
    expect(finding.confidence).toBeLessThanOrEqual(0.85);
    expect(finding.evidence.at(-1)?.description).toContain('Funding data unavailable');
  });
});

describe('the gates of a bundle-and-launder', () => {
  // The creator holds 1 % more than it buys at launch and sells less than a fifth of all.
  const large = { rest: { wallets: { creator: { balanceRaw: supplyShare(0.5) } } } };

  it.each([
    ['of 3 % of the supply', { soldShare: 0.03, boughtShare: 0.03, ...large }, 1],
    ['of less', { soldShare: 0.0299, boughtShare: 0.0299, ...large }, 0],
    ['of a fifth of what it has', { soldShare: 0.02, boughtShare: 0.02 }, 1],
    ['of less than that', { soldShare: 0.0199, boughtShare: 0.0199 }, 0],
  ])('need a sale %s: found %#', (_, draft, count) => {
    expect(inspect(draft)).toHaveLength(count);
  });

  it('reject sales below 0.25 % of the supply', () => {
    const dust = (share: number) => {
      const story = aStory({ soldShare: share, boughtShare: share });
      const [, ...trades] = story.trades ?? [];
      const wallets = { ...story.wallets, creator: { balanceRaw: supplyShare(0.001) } };
      return bundleAndLaunder.inspect(readingOf(aCase({ ...story, trades, wallets }), crew));
    };
    expect(dust(0.0025)).toHaveLength(1);
    expect(dust(0.0024)).toHaveLength(0);
  });

  it('need half bought back, and at most three tenths lost in total', () => {
    expect(inspect({ boughtShare: 0.056 })).toHaveLength(1);
    expect(inspect({ boughtShare: 0.0559 })).toHaveLength(0);
  });

  it('need half of it from buyers in bundles, not counting others of the crew', () => {
    const more = (share: number) =>
      inspect({
        boughtShare: share,
        rest: {
          trades: [aBuy('creator', { slot: SALE_SLOT + 200, baseRaw: supplyShare(0.04) })],
        },
      });
    expect(more(0.04)).toHaveLength(1);
    expect(more(0.0399)).toHaveLength(0);
  });

  it('need the buyers within half an hour of the last sale', () => {
    const last = SALE_SLOT + 10 + 1_800_000 / 400;
    expect(inspect({ buySlot: last })).toHaveLength(1);
    expect(inspect({ buySlot: last + 1 })).toHaveLength(0);
  });

  it('need buyers that are linked to the seller', () => {
    expect(inspect({ isPaid: false }, [])).toHaveLength(0);
    expect(inspect({ isPaid: false })).toHaveLength(1);
    expect(inspect({ isPaid: true }, [])).toHaveLength(1);
  });

  it('accept buyers paid by an exchange in one batch after the sale', () => {
    const batch = (slot: number) => {
      const story = aStory({ isPaid: false });
      const paid = { fundings: [aFunding('exchange', { slot: asSlot(slot) })] };
      const wallets = {
        exchange: { class: 'cex' as const },
        ...Object.fromEntries(JS.map((wallet) => [wallet, paid])),
      };
      const links = linksFrom('j1', JS.slice(1), { family: 'exchange-batch', strength: 0.6 });
      return bundleAndLaunder.inspect(readingOf(aCase({ ...story, wallets }), links));
    };
    expect(batch(SALE_SLOT)).toHaveLength(1);
    expect(batch(SALE_SLOT - 1)).toHaveLength(0);
  });

  it('need a launch with a known creator', () => {
    expect(inspect({ rest: { launch: null } })).toHaveLength(0);
  });
});

describe('what resembles a bundle-and-launder', () => {
  it('is not reported when money went to an exchange and others buy the dip in a bundle', () => {
    const payments = [
      aPayment('creator', 'exchange', { slot: SALE_SLOT + 50, lamports: sol(9.5) }),
    ];
    const story = aStory({ isPaid: false, rest: { payments } });
    const wallets = { ...story.wallets, exchange: { class: 'cex' as const } };
    const found = bundleAndLaunder.inspect(readingOf(aCase({ ...story, wallets })));
    expect(found).toEqual([]);
  });

  it('is not reported when insiders sell and stay out', () => {
    const sells = JS.map((wallet, txIndex) =>
      aSell(wallet, { slot: SALE_SLOT + 300, txIndex: 10 + txIndex, baseRaw: supplyShare(0.019) }),
    );
    expect(inspect({ rest: { trades: sells } })).toEqual([]);
  });

  it('is below 0.5 when dip buyers that got little of the money sell at once with a profit', () => {
    const payments = JS.map((wallet, txIndex) =>
      aPayment('creator', wallet, { slot: SALE_SLOT + 50, txIndex, lamports: sol(0.02) }),
    );
    const sells = JS.map((wallet, txIndex) =>
      aSell(wallet, {
        slot: SALE_SLOT + 400,
        txIndex,
        baseRaw: supplyShare(0.001),
        lamports: sol(0.2),
      }),
    );
    const [finding] = inspect({ isPaid: false, rest: { payments, trades: sells } }, []);
    expect(finding && measuredIn(finding, 'quickProfit')).toBe(1);
    expect(finding?.confidence).toBeLessThan(0.5);
    expect(finding?.evidence.at(-1)?.description).toContain('Reduced by');
  });

  it('is not reported when tokens only move among the sellers', () => {
    const story = aStory();
    const trades = (story.trades ?? []).filter(({ wallet }) => !wallet.startsWith('j'));
    const transfers = [aTransfer('creator', 'j1', { slot: SALE_SLOT + 300 })];
    expect(
      bundleAndLaunder.inspect(readingOf(aCase({ ...story, trades, transfers }), crew)),
    ).toEqual([]);
  });
});

describe('a buy-back with money from exchanges', () => {
  const buyers = Array.from({ length: 6 }, (_, at) => `k${at}`);
  /**
   * Six first buyers, a slot apart, paid by an exchange to which the creator sent some of its 10
   * SOL.
   */
  const washed = (sentSol: number, paidSlot = SALE_SLOT + 60): CaseDraft => {
    const { trades = [], ...rest } = aStory({ boughtShare: 0, isPaid: false });
    const own = trades.filter(({ wallet }) => !JS.some((name) => name === wallet));
    return {
      ...rest,
      trades: [
        ...own,
        ...buyers.map((wallet, at) =>
          aBuy(wallet, {
            ...{ slot: SALE_SLOT + 300 + at, baseRaw: supplyShare(0.01), lamports: sol(1) },
          }),
        ),
      ],
      payments: [aPayment('creator', 'exchange', { slot: SALE_SLOT + 50, lamports: sol(sentSol) })],
      wallets: {
        exchange: { class: 'cex' },
        ...Object.fromEntries(
          buyers.map((wallet) => [
            wallet,
            { fundings: [aFunding('exchange', { slot: asSlot(paidSlot) })] },
          ]),
        ),
      },
    };
  };
  const foundOf = (draft: CaseDraft) => bundleAndLaunder.inspect(readingOf(aCase(draft), []));

  it('is found by one burst of first buyers after the proceeds were sent on', () => {
    const [finding] = foundOf(washed(2));
    const named = finding?.wallets.filter(({ role }) => role === 'bundler') ?? [];
    expect(named.map(({ address }) => address)).toEqual(buyers);
    // No route, and half the strength of a batch.
    expect(finding && measuredIn(finding, 'flow')).toBe(0);
    expect(finding && measuredIn(finding, 'link')).toBeCloseTo(0.3, 12);
  });

  it('has no strangers who buy beside connected buyers, unless they are too many themselves', () => {
    const namedOf = (count: number) => {
      const strangers = Array.from({ length: count }, (_, at) => `s${at}`);
      const story = aStory({
        rest: {
          trades: strangers.map((wallet, at) =>
            aBuy(wallet, { slot: SALE_SLOT + 301 + at, baseRaw: supplyShare(0.001) }),
          ),
        },
      });
      const paid = { fundings: [aFunding('exchange', { slot: asSlot(SALE_SLOT + 60) })] };
      const wallets = {
        ...{ ...story.wallets, exchange: { class: 'cex' as const } },
        ...Object.fromEntries(strangers.map((wallet) => [wallet, paid])),
      };
      const [finding] = bundleAndLaunder.inspect(readingOf(aCase({ ...story, wallets }), crew));
      const bundlers = finding?.wallets.filter(({ role }) => role === 'bundler') ?? [];
      return bundlers.map(({ address }) => address).filter((address) => address.startsWith('s'));
    };
    // Two in three slots, where 0.05 buyers a slot are usual: 1 in 100. Five in six: 2 in 100,000.
    expect(namedOf(2)).toEqual([]);
    expect(namedOf(5)).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });

  it('is not reported if the seller kept its proceeds, or the buyers had older money', () => {
    expect(foundOf(washed(1.9))).toEqual([]);
    expect(foundOf(washed(2, SALE_SLOT - 1))).toEqual([]);
  });
});
