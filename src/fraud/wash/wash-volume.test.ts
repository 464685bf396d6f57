import { describe, expect, it } from 'vitest';
import {
  expectMonotonic,
  expectOrderless,
  inspectLinked,
  measuredIn,
  rolesIn,
  scorerOf,
  sigmoid,
} from '../../../tests/support/fraud-tests.ts';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aLiquidityChange,
  aPayment,
  aSell,
  type CaseDraft,
  DAY_MS,
  LAUNCH_SLOT,
  sol,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Link } from '../links/clusters.ts';
import { WASH_VOLUME_TABLE, washVolume } from './wash-volume.ts';

const START_SLOT = LAUNCH_SLOT + 1_000;

interface RingDraft {
  readonly passes?: number;
  /** Paid by each buyer; the seller gets 1.5 % less. */
  readonly sizeSol?: number;
  readonly got?: number;
  readonly gapSlots?: (pass: number) => number;
  readonly isBundled?: boolean;
  readonly people?: number;
}

/**
 * Two wallets pass 1 % of the supply to and fro, the new holder buying before the old one sells,
 * with ten seconds between passes; others buy for some SOL on the same day.
 */
function aRing(draft: RingDraft = {}): CaseTrade[] {
  const { passes = 20, sizeSol = 1, got = 0.985, isBundled = false, people = 50 } = draft;
  const gapSlots = draft.gapSlots ?? (() => 25);
  const baseRaw = supplyShare(0.01);
  const trades = [aBuy('w1', { slot: START_SLOT - 25, baseRaw, lamports: sol(sizeSol) })];
  let slot = START_SLOT;
  for (let pass = 0; pass < passes; pass++) {
    const [buyer, seller] = pass % 2 === 0 ? ['w2', 'w1'] : ['w1', 'w2'];
    const group = isBundled ? { id: 'pass', level: 'L2' as const } : null;
    trades.push(
      aBuy(buyer ?? '', { slot, group, baseRaw, lamports: sol(sizeSol) }),
      aSell(seller ?? '', { slot, txIndex: 1, group, baseRaw, lamports: sol(sizeSol * got) }),
    );
    slot += gapSlots(pass);
  }
  const last = passes % 2 === 0 ? 'w1' : 'w2';
  trades.push(aSell(last, { slot, baseRaw, lamports: sol(sizeSol * got) }));
  trades.push(aBuy('person', { slot: START_SLOT + 1, txIndex: 9, lamports: sol(people) }));
  return trades;
}

const ring = linksFrom('boss', ['w1', 'w2']);
const inspect = (draft: CaseDraft, links: readonly Link[] = ring) =>
  washVolume.inspect(readingOf(aCase(draft), links));

function foundIn(draft: CaseDraft, links: readonly Link[] = ring) {
  const [finding, ...others] = inspect(draft, links);
  if (finding === undefined || others.length > 0) throw new Error('not one finding');
  return finding;
}

/** One wallet that repeatedly buys and sells the same amount in one transaction. */
function aBot(turns: number, people = 40): CaseTrade[] {
  const baseRaw = supplyShare(0.005);
  return [
    ...Array.from({ length: turns }, (_, at) => {
      const ref = {
        slot: START_SLOT + 20 * at,
        baseRaw,
        isRoundTrip: true,
        signature: `turn ${at}`,
      };
      return [
        aBuy('bot', { ...ref, lamports: sol(1.003) }),
        aSell('bot', { ...ref, lamports: sol(0.983) }),
      ];
    }).flat(),
    aBuy('person', { slot: START_SLOT + 5, lamports: sol(people) }),
  ];
}

describe('the scoring table of METHODS §7.8', () => {
  const score = scorerOf(WASH_VOLUME_TABLE);

  // METHODS gives share, churn and link; fully atomic trades and a regularity of three tenths are
  // the round numbers that give the result.
  it('gives 0.932 for 45 % of the volume by linked wallets', () => {
    const whole = { share: 0.45, churn: 0.98, uneconomic: 1, funding: 0.9 };
    expect(score({ ...whole, regularity: 0.3, atomic: 1 })).toBeCloseTo(0.932, 3);
  });

  it('gives 0.021 for a market maker', () => {
    expect(score({ share: 0.3, churn: 0.95, regularity: 0.5, maker: 1 })).toBeCloseTo(0.021, 3);
  });

  it('gives 0.029 for atomic arbitrage', () => {
    expect(score({ share: 0.36, churn: 1, atomic: 1, arbitrage: 1 })).toBeCloseTo(0.029, 3);
  });

  it('gives 0.741 for one wallet’s volume bot with 35 %', () => {
    const bot = { share: 0.35, churn: 1, uneconomic: 1, regularity: 1, atomic: 1 };
    expect(score(bot)).toBeCloseTo(0.741, 3);
  });

  it('is monotonic in every feature', () => {
    expectMonotonic(WASH_VOLUME_TABLE, ['maker', 'arbitrage']);
  });
});

describe('a ring that passes a position around', () => {
  it('is reported with every feature measured from the lists', () => {
    const finding = foundIn({ trades: aRing({ isBundled: true }) });
    // 21 purchases of 1 SOL and 21 sales of 0.985, next to 50 SOL of others.
    const volume = 21 * 1.985;
    const measured = {
      share: volume / (volume + 50),
      churn: 1,
      uneconomic: 1,
      funding: 1,
      // Intervals are even, and every size is a multiple of 0.01 SOL.
      regularity: 0.5,
      // All except the first purchase and the last sale.
      atomic: 1 - 1.985 / volume,
      loop: 0,
      arbitrage: 0,
      maker: 0,
    };
    for (const [name, value] of Object.entries(measured)) {
      expect(measuredIn(finding, name), name).toBeCloseTo(value, 9);
    }
    const { share, atomic } = measured;
    const logit = 2 * ((share - 0.1) / 0.4) + 1.2 + 1 + 1.8 + 0.3 + atomic - 4;
    expect(finding.rawScore).toBeCloseTo(sigmoid(logit), 9);
    expect(finding.clusterRoot).toBe('boss');
    expect(finding.patternStartSlot).toBe(START_SLOT - 25);
  });

  it('has its funder as attacker and its wallets as wash traders', () => {
    const paid = { fundings: [aFunding('boss')] };
    const finding = foundIn({ trades: aRing(), wallets: { w1: paid, w2: paid } });
    expect(rolesIn(finding)).toEqual({ boss: 'attacker', w1: 'unknown', w2: 'unknown' });
    expect(finding.wallets.map(({ labels }) => labels)).toEqual([
      ['funding_source'],
      ['wash_trader'],
      ['wash_trader'],
    ]);
    const bundled = foundIn({
      trades: aRing({ isBundled: true }),
      wallets: { w1: paid, w2: paid },
    });
    expect(rolesIn(bundled)).toEqual({ boss: 'attacker', w1: 'bundler', w2: 'bundler' });
  });

  it('has what others paid meanwhile and still hold at risk, limited by the pool', () => {
    const usd = (whole: bigint) => whole * 10n ** 9n;
    // 50 SOL at 200 dollars; the pool could give 100 SOL.
    expect(foundIn({ trades: aRing() }).valueAtRiskUsd).toBe(usd(10_000n));
    const half = { person: { balanceRaw: supplyShare(0.0005) } };
    expect(foundIn({ trades: aRing(), wallets: half }).valueAtRiskUsd).toBe(usd(5_000n));
    const rich = aRing({ people: 110, passes: 60 });
    expect(foundIn({ trades: rich }).valueAtRiskUsd).toBe(usd(20_000n));
  });

  it('shows circulating SOL', () => {
    const payments = [
      aPayment('w2', 'w1', { slot: START_SLOT + 7, lamports: sol(9) }),
      aPayment('w1', 'w2', { slot: START_SLOT + 9, lamports: sol(7.2) }),
    ];
    expect(measuredIn(foundIn({ trades: aRing(), payments }), 'loop')).toBe(1);
    const less = payments.map((payment) =>
      payment.from === 'w1' ? { ...payment, lamports: sol(7.19) } : payment,
    );
    expect(measuredIn(foundIn({ trades: aRing(), payments: less }), 'loop')).toBe(0);
  });

  it('is regular only if intervals are even', () => {
    const rhythm = (gapSlots: (pass: number) => number) =>
      measuredIn(foundIn({ trades: aRing({ gapSlots }) }), 'regularity');
    // Alternately 10 and 90 slots vary by four fifths of their mean: (1 − 0.8) / 0.7, halved.
    const uneven = rhythm((pass) => (pass % 2 === 0 ? 10 : 90));
    expect(rhythm(() => 25)).toBe(0.5);
    expect(uneven).toBeGreaterThan(0.1);
    expect(uneven).toBeLessThan(0.2);
  });

  it('is found with links from the built-in link families', () => {
    const paid = { fundings: [aFunding('boss', { lamports: sol(3) })] };
    const mintCase = aCase({ trades: aRing(), wallets: { w1: paid, w2: paid } });
    const [finding] = inspectLinked(washVolume, mintCase);
    expect(finding?.confidence).toBeGreaterThan(0.8);
  });

  it('does not depend on the order of lists', () => {
    expectOrderless(washVolume, aCase({ trades: aRing() }), ring);
  });
});

describe('the gates of wash volume', () => {
  it('need a tenth of the volume of the day', () => {
    // 41.685 SOL are a tenth of 416.85.
    expect(inspect({ trades: aRing({ people: 375.1 }) })).toHaveLength(1);
    expect(inspect({ trades: aRing({ people: 375.2 }) })).toHaveLength(0);
  });

  it('need 1,000 dollars', () => {
    // 21 purchases and sales of 1.985 times the size at 200 dollars: 0.12 SOL are 1,000.44.
    expect(inspect({ trades: aRing({ sizeSol: 0.12, people: 1 }) })).toHaveLength(1);
    expect(inspect({ trades: aRing({ sizeSol: 0.119, people: 1 }) })).toHaveLength(0);
  });

  it('need a price of SOL for the dollar gate', () => {
    const market = aCase().market;
    if (market === null) throw new Error('a case without a market');
    expect(inspect({ trades: aRing(), market: { ...market, solUsd: null } })).toEqual([]);
  });

  it('need three rounds of several wallets', () => {
    // A purchase, several passes, a sale: purchases and sales alternate once per pass.
    expect(inspect({ trades: aRing({ passes: 2, sizeSol: 5 }) })).toHaveLength(0);
    expect(inspect({ trades: aRing({ passes: 3, sizeSol: 5 }) })).toHaveLength(1);
  });

  it('need ten rounds of one wallet alone', () => {
    expect(inspect({ trades: aBot(10) }, [])).toHaveLength(1);
    expect(inspect({ trades: aBot(9) }, [])).toHaveLength(0);
  });

  it('need nine tenths to cancel out', () => {
    const rest = (share: number) => [
      ...aRing({ passes: 8 }),
      aBuy('w1', {
        slot: START_SLOT + 3,
        txIndex: 5,
        baseRaw: supplyShare(share),
        lamports: sol(1),
      }),
    ];
    const churnOf = (share: number) => {
      const [finding] = inspect({ trades: rest(share) });
      return finding && measuredIn(finding, 'churn');
    };
    // 9 % bought and sold, and 2 % kept: 18 of 20.
    expect(churnOf(0.02)).toBeCloseTo(0.9, 9);
    expect(inspect({ trades: rest(0.0201) }).map((one) => measuredIn(one, 'churn'))).not.toContain(
      0.9,
    );
  });

  it('use only the last day', () => {
    const later = START_SLOT + 600 + DAY_MS / 400;
    expect(inspect({ trades: aRing(), slot: later - 1_200 })).toHaveLength(1);
    expect(inspect({ trades: aRing(), slot: later })).toHaveLength(0);
  });
});

describe('one owner without a common funder', () => {
  const paidBy = (funder: string) => ({ fundings: [aFunding(funder, { lamports: sol(3) })] });
  const fundingOf = (wallets: CaseDraft['wallets']) =>
    measuredIn(foundIn({ trades: aRing(), wallets: wallets ?? {} }, []), 'funding');

  it('is found by ten hand-overs, and its funding counts nothing', () => {
    const finding = foundIn({ trades: aRing() }, []);
    expect(measuredIn(finding, 'funding')).toBe(0);
    expect(Object.keys(rolesIn(finding)).sort()).toEqual(['w1', 'w2']);
    // 21 rounds, each of which lost 0.015 of 1.985.
    expect(measuredIn(finding, 'uneconomic')).toBe(1);
  });

  it('counts half when exchanges paid both in the same minutes', () => {
    const exchanges = { binance: { class: 'cex' }, kraken: { class: 'cex' } } as const;
    expect(fundingOf({ ...exchanges, w1: paidBy('binance'), w2: paidBy('kraken') })).toBe(0.5);
    expect(fundingOf({ ...exchanges, w1: paidBy('binance'), w2: paidBy('friend') })).toBe(0);
  });

  it('is one hand when it is a single wallet whose rounds cost their fees', () => {
    // Each turn loses 0.02 of 1.986, within three fees of 1 % and half a per cent.
    expect(measuredIn(foundIn({ trades: aBot(20) }, []), 'funding')).toBe(1);
    const moved = aBot(20).map((trade, at) =>
      // Three of ten turns end 10 % higher: the others are seven tenths, where the ramp begins.
      trade.side === 'sell' && Math.floor(at / 2) % 10 < 3
        ? { ...trade, lamports: sol(1.103) }
        : trade,
    );
    expect(measuredIn(foundIn({ trades: moved }, []), 'funding')).toBeCloseTo(0, 9);
  });
});

describe('a ring over two pools of a mint', () => {
  it('is one ring, with its part of the volume of both', () => {
    const trades = aRing().map((trade, at) =>
      trade.wallet !== 'person' && at % 2 === 1 ? { ...trade, pool: named('other pool') } : trade,
    );
    // 41.685 SOL of 91.685 in both pools.
    expect(measuredIn(foundIn({ trades }), 'share')).toBeCloseTo(41.685 / 91.685, 9);
  });

  it('is measured against the pools it trades in alone', () => {
    const elsewhere = aBuy('crowd', {
      slot: START_SLOT,
      txIndex: 5,
      pool: named('busy pool'),
      lamports: sol(5_000),
    });
    const finding = foundIn({ trades: [...aRing(), elsewhere] });
    expect(measuredIn(finding, 'share')).toBeCloseTo(41.685 / 91.685, 9);
  });
});

describe('what resembles wash volume', () => {
  it('is below 0.5 if one wallet arbitrages between pools', () => {
    const legs = aBot(30).map((trade) => ({ ...trade, isArbitrage: trade.wallet === 'bot' }));
    const finding = foundIn({ trades: legs }, []);
    expect(measuredIn(finding, 'arbitrage')).toBe(1);
    expect(finding.confidence).toBeLessThan(0.5);
  });

  it('is below 0.5 if a maker profits from its trades', () => {
    const finding = foundIn({ trades: aRing({ got: 1.01 }) }, linksFrom('w1', ['w2']));
    expect(measuredIn(finding, 'uneconomic')).toBe(0);
    expect(measuredIn(finding, 'maker')).toBe(1);
    expect(finding.confidence).toBeLessThan(0.5);
    expect(finding.evidence.at(-1)?.description).toContain('Reduced by signs of market making');
  });

  it('is reduced by half if one of its wallets only provides liquidity', () => {
    const liquidity = [aLiquidityChange('w1')];
    const wallets = { w1: { balanceRaw: supplyShare(0) } };
    expect(measuredIn(foundIn({ trades: aRing(), liquidity, wallets }), 'maker')).toBe(0.5);
  });

  it('is not reported when a crew buys and leaves', () => {
    const crew = ['w1', 'w2'];
    const trades = [
      ...crew.map((wallet, at) => aBuy(wallet, { slot: START_SLOT + at, lamports: sol(20) })),
      ...crew.map((wallet, at) =>
        aSell(wallet, { slot: START_SLOT + 100 + at, lamports: sol(20) }),
      ),
    ];
    expect(inspect({ trades })).toEqual([]);
  });

  it('is not reported when unrelated wallets meet fewer than ten times', () => {
    // Without links each is alone, with fewer than ten pairs.
    expect(inspect({ trades: aRing({ passes: 9, sizeSol: 3 }) }, [])).toEqual([]);
  });

  it('shows the even purchases of a single wallet with the wallet', () => {
    const { evidence } = foundIn({ trades: aBot(20) }, []);
    const patterns = evidence.filter(({ type }) => type === 'similar_patterns');
    expect(patterns.map(({ payload }) => payload)).toMatchObject([
      { kind: 'transaction', wallets: ['bot'] },
    ]);
  });

  it('is below 0.5 if a single wallet loses more than fees', () => {
    const trades = aRing({ got: 0.93, passes: 40, people: 300 }).filter(
      ({ wallet }) => wallet !== 'w2',
    );
    const [finding] = inspect({ trades }, []);
    expect(finding && measuredIn(finding, 'uneconomic')).toBe(0);
    expect(finding?.confidence).toBeLessThan(0.5);
  });
});
