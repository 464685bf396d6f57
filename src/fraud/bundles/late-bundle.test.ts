import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aTransfer,
  type CaseDraft,
  HOUR_MS,
  LAUNCH_SLOT,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import type { BundleLevel } from '../../model/derived.ts';
import type { Judgement } from '../../model/fraud.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Link } from '../links/clusters.ts';
import { scoreCase } from '../scoring/score.ts';
import { LATE_BUNDLE_TABLE, lateBundle } from './late-bundle.ts';

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
const names = (count: number, prefix = 'w') =>
  Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
const BURST_SLOT = LAUNCH_SLOT + 200;

interface BurstDraft {
  readonly wallets?: readonly string[];
  readonly share?: number;
  readonly level?: BundleLevel | null;
  readonly id?: string;
  readonly slot?: number;
  readonly solEach?: number;
}

function aBurst(draft: BurstDraft): CaseTrade[] {
  const { wallets = names(7), share = 0.12, level = 'L2', id = 'burst', slot = BURST_SLOT } = draft;
  return wallets.map((wallet, at) =>
    aBuy(wallet, {
      slot,
      txIndex: 100 + at,
      group: level === null ? null : { id, level },
      baseRaw: supplyShare(share / wallets.length),
      lamports: sol(draft.solEach ?? 1.003),
    }),
  );
}

/** Ten organic buys by five wallets from the eleventh slot on. */
const crowd = (buys = 10, wallets = 5) =>
  Array.from({ length: buys }, (_, at) =>
    aBuy(`o${at % wallets}`, { slot: LAUNCH_SLOT + 10 + at }),
  );

const followers = (count: number, slot = BURST_SLOT + 5) =>
  names(count, 'f').map((wallet, txIndex) => aBuy(wallet, { slot, txIndex, lamports: sol(0.01) }));

const freshFrom = (funder: string, wallets: readonly string[]) =>
  Object.fromEntries(
    wallets.map((wallet) => [
      wallet,
      { firstSeenMs: timeOf(BURST_SLOT) - HOUR_MS, fundings: [aFunding(funder)] },
    ]),
  );

const inspect = (draft: CaseDraft, links: readonly Link[] = []) =>
  lateBundle.inspect(readingOf(aCase(draft), links));

function foundIn(draft: CaseDraft, links: readonly Link[] = []): Judgement {
  const [finding, ...others] = inspect(draft, links);
  if (finding === undefined || others.length > 0) throw new Error('not one finding');
  return finding;
}

describe('the scoring table of METHODS §7.4', () => {
  type Measures = Parameters<typeof scoreCase<keyof typeof LATE_BUNDLE_TABLE.rules>>[1];
  const none: Measures = {
    share: 0,
    wallets: 0,
    burst: 0,
    atomicity: 0,
    funding: 0,
    fresh: 0,
    sizes: 0,
    recidivism: 0,
    attention: 0,
    copying: 0,
  };
  const score = (measures: Partial<Measures>) =>
    scoreCase(LATE_BUNDLE_TABLE, { ...none, ...measures }, true).rawScore;

  // METHODS leaves freshness and sizes open: all fresh and nine tenths of equal sizes give the
  // result.
  it('gives 0.978 for 12 % by 7 wallets, burst 7, one L2 bundle, nine tenths funded', () => {
    const whole = {
      share: 0.12,
      wallets: 7,
      burst: 7,
      atomicity: 0.9,
      funding: 0.9,
      fresh: 1,
      sizes: 0.9,
    };
    expect(score(whole)).toBeCloseTo(0.978, 3);
  });

  // Likewise 5 % in a certain burst at half atomicity, a fifth of wallets fresh and sizes
  // equal.
  const strangers = { share: 0.05, wallets: 12, burst: 8, atomicity: 0.5, fresh: 0.2, sizes: 0.2 };

  it('gives 0.127 for 12 unrelated buyers after a post that attracts many buyers', () => {
    expect(score({ ...strangers, attention: 3 })).toBeCloseTo(0.127, 3);
  });

  it('gives 0.395 for the same without the post', () => {
    expect(score(strangers)).toBeCloseTo(0.395, 3);
  });
});

describe('a late bundle', () => {
  const wallets = names(7);
  const draft = { trades: [...crowd(), ...aBurst({})], wallets: freshFrom('boss', wallets) };
  const links = linksFrom('boss', wallets, { family: 'common-funding', strength: 0.85 });

  it('is reported with every feature measured from the lists', () => {
    const finding = foundIn(draft, links);
    // 2·0.75 + 0.6·4/7 + 1.2·1 + 1.2·0.9 + 2.4·1 + 0.7·1 + 0.5·1 − 3.4: seven buyers where a
    // twentieth is usual are far less probable than 1 in 10^8.
    const logit = 1.5 + (0.6 * 4) / 7 + 1.2 + 1.08 + 2.4 + 0.7 + 0.5 - 3.4;
    expect(finding.rawScore).toBeCloseTo(sigmoid(logit), 9);
    expect(finding.patternStartSlot).toBe(BURST_SLOT);
    expect(finding.clusterRoot).toBe('w1');
    expect(finding.wallets.map(({ address, role }) => `${address} ${role}`)).toEqual([
      'boss attacker',
      ...wallets.map((wallet) => `${wallet} bundler`),
    ]);
    expect(new Set(finding.evidence.map(({ type }) => type))).toEqual(
      new Set([
        'common_funding',
        'supply_concentration',
        'suspicious_timing',
        'bundled_transaction',
        'similar_patterns',
        'same_block_trades',
      ]),
    );
  });

  it('lists holdings after the burst', () => {
    const moved = { slot: BURST_SLOT + 1, amountRaw: supplyShare(0.01) };
    const finding = foundIn({ ...draft, transfers: [aTransfer('w1', 'vault', moved)] }, links);
    const supply = finding.evidence.flatMap(({ payload }) =>
      payload.kind === 'supply_distribution' ? [payload.suspiciousShare] : [],
    );
    expect(supply.length).toBe(1);
    expect(supply[0]).toBeCloseTo(0.12, 9);
  });

  it('scores lower when three times as many organic buyers follow within a minute', () => {
    const withFollowers = (count: number, slot?: number) =>
      foundIn({ ...draft, trades: [...draft.trades, ...followers(count, slot)] }, links);
    const before = foundIn(draft, links).rawScore;
    const logitOf = (score: number) => Math.log(score / (1 - score));
    expect(logitOf(withFollowers(21).rawScore)).toBeCloseTo(logitOf(before) - 1.5, 9);
    expect(withFollowers(21).evidence.at(-1)?.description).toContain(
      'Reduced by 21 organic buyers in the 60 seconds that followed.',
    );
    expect(withFollowers(20).rawScore).toBe(before);
    expect(withFollowers(21, BURST_SLOT + 151).rawScore).toBe(before);
  });

  it('is found for each occurrence, the strongest first', () => {
    const second = aBurst({
      wallets: names(5, 'x'),
      slot: BURST_SLOT + 100,
      id: 'second',
      share: 0.05,
    });
    const found = inspect({ ...draft, trades: [...draft.trades, ...second] }, links);
    expect(found.map(({ patternStartSlot }) => patternStartSlot)).toEqual([
      BURST_SLOT,
      BURST_SLOT + 100,
    ]);
  });
});

describe('the gates of a late bundle', () => {
  const count = (trades: readonly CaseTrade[], links: readonly Link[] = []) =>
    inspect({ trades }, links).length;

  it('need five organic wallets and ten organic buys before it', () => {
    expect(count([...crowd(10, 5), ...aBurst({})])).toBe(1);
    expect(count([...crowd(10, 4), ...aBurst({})])).toBe(0);
    expect(count([...crowd(9, 5), ...aBurst({})])).toBe(0);
  });

  it('do not count bots and members of the burst as organic', () => {
    const bots = inspect({
      trades: [...crowd(), ...aBurst({})],
      wallets: { o0: { isOrganic: false } },
    });
    expect(bots).toEqual([]);
    const members = ['w1', 'w2', 'w3', 'w4', 'w5'].flatMap((wallet, at) => [
      aBuy(wallet, { slot: LAUNCH_SLOT + 10 + at }),
      aBuy(wallet, { slot: LAUNCH_SLOT + 20 + at }),
    ]);
    expect(count([...members, ...aBurst({})])).toBe(0);
  });

  it('need half a minute since the launch', () => {
    // 75 slots of 0.4 s.
    expect(count([...crowd(), ...aBurst({ slot: LAUNCH_SLOT + 75 })])).toBe(1);
    expect(count([...crowd(), ...aBurst({ slot: LAUNCH_SLOT + 74 })])).toBe(0);
  });

  it('end seven days after the launch', () => {
    // 1,512,000 slots of 0.4 s.
    expect(count([...crowd(), ...aBurst({ slot: LAUNCH_SLOT + 1_512_000 })])).toBe(1);
    expect(count([...crowd(), ...aBurst({ slot: LAUNCH_SLOT + 1_512_001 })])).toBe(0);
  });

  it('need three wallets', () => {
    expect(count([...crowd(), ...aBurst({ wallets: names(3) })])).toBe(1);
    expect(count([...crowd(), ...aBurst({ wallets: names(2) })])).toBe(0);
  });

  it('need 3 % of the supply or a quarter of the buy volume around it', () => {
    const beside = (lamports: number) =>
      aBuy('whale', { slot: BURST_SLOT + 2, lamports: sol(lamports) });
    // Five wallets of 1 SOL: 5 of 20 is a quarter.
    const burst = (share: number) => aBurst({ wallets: names(5), share, solEach: 1 });
    // More than a minute after the other buys, which would count as well.
    const at = (share: number, solOthers: number) =>
      count([...crowd(), ...burst(share), beside(solOthers)]);
    expect(at(0.03, 1000)).toBe(1);
    expect(at(0.0299, 1000)).toBe(0);
    expect(at(0.0299, 15)).toBe(1);
    expect(at(0.0299, 15.1)).toBe(0);
  });

  it('join bundles of two adjacent slots, but not those two slots apart', () => {
    const two = (apart: number) => [
      ...crowd(),
      ...aBurst({ wallets: names(2, 'a'), id: 'a' }),
      ...aBurst({ wallets: names(2, 'b'), id: 'b', slot: BURST_SLOT + apart }),
    ];
    expect(count(two(1))).toBe(1);
    expect(count(two(2))).toBe(0);
  });

  /** One purchase in each of these slots behind the burst's, by wallets that nothing places together. */
  const apart = (...slots: number[]) =>
    slots.flatMap((after, at) =>
      aBurst({ wallets: [`w${at + 1}`], level: null, share: 0.02, slot: BURST_SLOT + after }),
    );

  it('allow linked buyers ten slots', () => {
    const links = linksFrom('boss', names(5));
    const linked = (last: number) => [...crowd(), ...apart(0, 2, 5, 8, last)];
    // Five in ten slots: 10^-3.76 at 0.05 a slot. Four of them in nine slots: 10^-2.92.
    expect(count(linked(9), links)).toBe(1);
    expect(count(linked(10), links)).toBe(0);
    expect(count(linked(9))).toBe(0);
  });

  it('need a probability of 10^-3 where links alone connect the buyers', () => {
    const links = linksFrom('boss', names(4));
    // Four in five slots, where 0.05 a slot are usual: 10^-3.87; in ten slots 10^-2.76.
    expect(count([...crowd(), ...apart(0, 1, 3, 4)], links)).toBe(1);
    expect(count([...crowd(), ...apart(0, 3, 6, 9)], links)).toBe(0);
    // 150 buyers in the 200 slots before: four in five slots are usual.
    expect(count([...crowd(150, 20), ...apart(0, 1, 3, 4)], links)).toBe(0);
    const placed = aBurst({ wallets: names(4), share: 0.08 });
    expect(count([...crowd(150, 20), ...placed], links)).toBe(1);
  });

  it('count one exchange that paid the buyers as no link over several slots', () => {
    const paidBy = (family: string) =>
      linksFrom('w1', names(5).slice(1), { family, strength: 0.6 });
    const trades = [...crowd(), ...apart(0, 2, 5, 8, 9)];
    expect(count(trades, paidBy('common-funding'))).toBe(1);
    expect(count(trades, paidBy('exchange-batch'))).toBe(0);
    const inOneSlot = [...crowd(), ...aBurst({ wallets: names(5) })];
    expect(count(inOneSlot, paidBy('exchange-batch'))).toBe(1);
  });

  it('need a known launch', () => {
    expect(inspect({ trades: [...crowd(), ...aBurst({})], launch: null })).toEqual([]);
  });
});

describe('what resembles a late bundle', () => {
  it('is not reported when a call brings twelve unrelated buyers into one slot', () => {
    const trades = [...crowd(), ...aBurst({ wallets: names(12), level: null }), ...followers(40)];
    expect(inspect({ trades })).toEqual([]);
  });

  it('is not reported when orders of one terminal execute at one price', () => {
    const trades = aBurst({}).map((trade): CaseTrade => ({ ...trade, isTerminal: true }));
    expect(inspect({ trades: [...crowd(), ...trades] })).toEqual([]);
    const [first, ...others] = trades;
    const mixed = first === undefined ? [] : [{ ...first, isTerminal: false }, ...others];
    expect(inspect({ trades: [...crowd(), ...mixed] }).length).toBe(1);
  });

  it('is not reported when all but two of a bundle are independent snipers', () => {
    const sniper = { snipes: 20, snipedCreators: 20 };
    const trades = [...crowd(), ...aBurst({ wallets: names(4) })];
    expect(inspect({ trades, wallets: { w3: sniper, w4: sniper } })).toEqual([]);
  });

  it('is below 0.5 when many buyers follow a few unlinked wallets that share a tip', () => {
    const trades = [
      ...crowd(),
      ...aBurst({ wallets: names(4), share: 0.04, solEach: 1 }),
      ...followers(12),
    ];
    expect(foundIn({ trades }).confidence).toBeLessThan(0.5);
  });
});

describe('the order of lists', () => {
  it('changes nothing', () => {
    const wallets = names(4);
    const mintCase = aCase({
      trades: [
        ...crowd(),
        ...aBurst({ wallets: wallets.slice(0, 2), id: 'a' }),
        ...aBurst({ wallets: wallets.slice(2), id: 'b' }),
        ...aBurst({ wallets: names(3, 'x'), id: 'c', slot: BURST_SLOT + 30 }),
        ...followers(9),
      ],
      wallets: freshFrom('boss', wallets),
    });
    const links = linksFrom('boss', wallets);
    const expected = lateBundle.inspect(readingOf(mintCase, links));
    expect(expected.length).toBe(2);
    const shuffled = <Item>(items: Iterable<Item>) => {
      const all = [...items];
      return fc.shuffledSubarray(all, { minLength: all.length });
    };
    fc.assert(
      fc.property(shuffled(mintCase.trades), shuffled(mintCase.wallets), (trades, entries) => {
        const other = { ...mintCase, trades, wallets: new Map(entries) };
        expect(lateBundle.inspect(readingOf(other, links))).toEqual(expected);
      }),
    );
  });
});
