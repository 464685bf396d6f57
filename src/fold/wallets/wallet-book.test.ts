import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  atSecond,
  type WalletStage,
  walletStage,
  walletTrade,
} from '../../../tests/support/wallet-stage.ts';
import { WALLET_LAYOUT } from './features/wallet-row.ts';
import type { WalletTrade } from './wallet-row-changes.ts';

const DAY = 86_400;

function trade(stage: WalletStage, second: number, rest: Partial<WalletTrade> = {}): void {
  stage.book.applyTrade(stage.wallet(), walletTrade(second, rest));
}

function classOf({ book, wallet }: WalletStage) {
  return book.verdict(wallet())?.class;
}

/** A wallet that is a bot by two round trips, the last at second 1,000. */
function roundTripper(): WalletStage {
  const stage = walletStage();
  trade(stage, 0, { isRoundTrip: true });
  trade(stage, 1_000, { isRoundTrip: true });
  expect(stage.book.takeFlips()).toHaveLength(1);
  return stage;
}

describe('the class of a wallet', () => {
  test('is organic without a verdict for a wallet that was never seen', () => {
    const { book, wallet } = walletStage();
    expect(book.isBot(wallet())).toBe(false);
    expect([book.verdict(wallet()), book.profile(wallet())]).toEqual([null, null]);
  });

  test('is reported with its rule, its time and all terms of the scorecard', () => {
    const { book, wallet } = roundTripper();
    const { slot, timeMs } = atSecond(1_000);
    expect(book.verdict(wallet())).toMatchObject({
      class: 'bot',
      score: 0.99,
      rule: 'same_transaction_round_trips',
      ruleHeldMs: timeMs,
      evidence: [{ measure: 'round_trips_24h', value: 2, threshold: 2 }],
      sinceSlot: slot,
      sinceMs: timeMs,
    });
    expect(book.verdict(wallet())?.terms).toHaveLength(11);
    expect(book.isBot(wallet())).toBe(true);
  });

  test('stays bot for a week after a hard rule last held without other evidence', () => {
    // The rule last holds at 1,000 + 23 h, when the first round trip is still within a day.
    const stage = roundTripper();
    for (let at = 1; at <= 9; at++) trade(stage, 2 * DAY + at * 5_000);
    expect([stage.book.takeFlips(), classOf(stage)]).toEqual([[], 'bot']);
    trade(stage, 1_000 + 7 * DAY - 1);
    expect([stage.book.takeFlips(), classOf(stage)]).toEqual([[], 'bot']);
    trade(stage, 1_000 + 7 * DAY);
    expect(stage.book.takeFlips()).toEqual([{ wallet: 0, class: 'organic' }]);
    expect(stage.book.verdict(0)).toMatchObject({ rule: null, ruleHeldMs: atSecond(1_000).timeMs });
  });

  test('does not change again within five trades', () => {
    const stage = roundTripper();
    for (let at = 0; at < 4; at++) {
      trade(stage, 20 * DAY + at * 7_000);
      expect(stage.book.takeFlips()).toEqual([]);
    }
    trade(stage, 21 * DAY);
    expect(stage.book.takeFlips()).toEqual([{ wallet: 0, class: 'organic' }]);
  });

  test('becomes bot by the scorecard at p of 0.5, and organic below 0.3', () => {
    // Holds: 1.6 at a share of 0.8. Snipes: 4 of 10, so 2.1 / 2; 0.65 more than the −2 takes is
    // left.
    const stage = walletStage();
    const fastHolds = (count: number) => {
      for (let at = 0; at < count; at++) stage.book.applyClosedHold(stage.wallet(), 15);
    };
    const slowHolds = (count: number) => {
      for (let at = 0; at < count; at++) stage.book.applyClosedHold(stage.wallet(), 16);
    };
    const byNoClock = (at: number) => at * 9_000 + (at % 2) * 8_900;
    const firstBuys = (from: number, to: number, snipes: number) => {
      for (let at = from; at < to; at++) {
        trade(stage, byNoClock(at), { isFirstBuyOfMint: true, isSnipe: at - from < snipes });
      }
    };
    firstBuys(0, 10, 4);
    expect([stage.book.takeFlips(), stage.book.verdict(0)?.score]).toEqual([
      [],
      // σ(−0.95)
      expect.closeTo(0.278885, 6),
    ]);
    fastHolds(8);
    slowHolds(2);
    expect(stage.book.takeFlips()).toEqual([{ wallet: 0, class: 'bot' }]);
    expect(stage.book.verdict(0)).toMatchObject({ rule: null, evidence: [] });
    // 8 of 20 holds: 0.32; 9 of 20 first buys: 2.1 · 0.25 / 0.4 = 1.31, so p = σ(−0.37) = 0.41: not
    // enough to become a bot, but enough to stay one.
    slowHolds(10);
    firstBuys(10, 20, 5);
    expect([stage.book.takeFlips(), classOf(stage)]).toEqual([[], 'bot']);
    // 9 of 40 first buys: 2.1 · 0.025 / 0.4 = 0.13, 8 of 40 holds: none, so p = σ(−1.87) = 0.13.
    slowHolds(20);
    firstBuys(20, 40, 0);
    expect(stage.book.takeFlips()).toEqual([{ wallet: 0, class: 'organic' }]);
  });

  test('is evaluated once per slot', () => {
    const { book, wallet } = walletStage();
    const pair = ['one', 'two'].map((name) => wallet(name));
    for (const each of pair) {
      book.applyTrade(each, walletTrade(0, { isRoundTrip: true }));
      book.applyTrade(each, walletTrade(0, { isRoundTrip: true }));
    }
    expect(book.takeFlips().map((flip) => flip.wallet)).toEqual(pair);
    expect(book.takeFlips()).toEqual([]);
  });
});

describe('many trades within one second', () => {
  test('are counted, with gaps by slots (59 trades)', () => {
    const stage = walletStage();
    const { slot, timeMs } = atSecond(500);
    for (let at = 0; at < 59; at++)
      trade(stage, 500, { slot: (slot + at * 3) as typeof slot, timeMs });
    stage.book.takeFlips();
    const { features } = stage.book.profile(0) ?? {};
    // Three slots are 1,200 ms, more than a second, although the block time did not change.
    expect(features).toMatchObject({ swaps10m: 59, swaps24h: 59, gaps: 58, fastGaps: 0 });
    expect(features?.lnGapDeviation).toBe(0);
  });

  test('make a bot (60 trades in one slot)', () => {
    const stage = walletStage();
    for (let at = 0; at < 60; at++) trade(stage, 500);
    expect(stage.book.takeFlips()).toHaveLength(1);
    expect(stage.book.verdict(0)?.rule).toBe('swap_rate');
  });
});

describe('data of a wallet other than its trades', () => {
  test('is stored in its profile: failures, first funder, other activity', () => {
    const { book, wallet, ids } = walletStage();
    book.applyFailed(wallet(), atSecond(5));
    for (const funder of ['first', 'second']) {
      book.setFirstFunder(wallet(), ids.idOf(address(funder)));
    }
    book.applyOtherActivity(wallet());
    expect(book.profile(wallet())).toMatchObject({
      firstFunder: address('first'),
      firstSlot: atSecond(5).slot,
      features: { failed: 1, trades: 0, hasOtherActivity: true },
    });
  });

  test('is ignored for a wallet without a profile', () => {
    const { book, wallet } = walletStage();
    book.applyClosedHold(wallet(), 5);
    book.applyOtherActivity(wallet());
    book.setFirstFunder(wallet(), wallet('funder'));
    expect([book.residentCount, book.takeFlips()]).toEqual([0, []]);
  });
});

describe('a profile', () => {
  test('takes 320 bytes', () => {
    expect(WALLET_LAYOUT.rowBytes).toBe(320);
  });

  test('that is spilled reads as before, and is restored by the next trade', () => {
    const stage = roundTripper();
    const { book, spill } = stage;
    book.applyTrade(stage.wallet('later'), walletTrade(2_000));
    book.takeFlips();
    const before = [book.verdict(0), book.profile(0), [...book.digestRows()]];
    expect(book.evict(1)).toBe(1);
    expect([...spill.entries()].map(([wallet]) => wallet)).toEqual([stage.wallet('wallet')]);
    expect([book.residentCount, book.spilledCount]).toEqual([1, 1]);
    expect([book.verdict(0), book.profile(0), [...book.digestRows()]]).toEqual(before);
    expect([book.isBot(0), book.isBot(1)]).toEqual([true, false]);
    trade(stage, 3_000);
    expect([book.residentCount, book.spilledCount, spill.size]).toEqual([2, 0, 0]);
    expect(book.profile(0)?.features.trades).toBe(3);
  });

  test('of the wallet that traded longest ago is spilled first, ties by address', () => {
    const { book, wallet, ids, spill } = walletStage();
    const times = { a: 50, b: 20, c: 20, d: 90 };
    for (const [name, second] of Object.entries(times)) {
      book.applyTrade(wallet(name), walletTrade(second));
    }
    const [lesser] = [address('b'), address('c')].sort();
    book.evict(3);
    expect([...spill.entries()].map(([id]) => ids.addressOf(id))).toEqual([lesser]);
    book.evict(1);
    expect(book.profile(wallet('d'))?.lastMs).toBe(atSecond(90).timeMs);
    expect(spill.peek(wallet('d'))).toBeNull();
    expect(book.evict(5)).toBe(0);
  });

  test('that is missing from the spill is an error, not a new wallet', () => {
    const { book, wallet, spill } = walletStage();
    book.applyTrade(wallet(), walletTrade(0));
    book.evict(0);
    spill.close();
    expect(() => book.applyTrade(wallet(), walletTrade(1))).toThrow('is missing from the spill');
  });
});

/** One change of a wallet. */
const anyAct = fc.record({
  kind: fc.constantFrom('trade', 'trade', 'trade', 'hold', 'failed', 'leg', 'other', 'evict'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  step: fc.constantFrom(0, 0, 1, 30, 4_000, 90_000),
  mint: fc.constantFrom('m', 'n'),
  side: fc.constantFrom('buy', 'sell'),
  lamports: fc.constantFrom(null, 137_000_000n, 500_000_000n),
  flag: fc.boolean(),
  program: fc.constantFrom('p', 'q'),
  size: fc.nat(40),
} as const);

type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies the change, as of `second`. */
function applyAct({ book, wallet }: WalletStage, act: Act, second: number, evicts: boolean): void {
  const id = wallet(act.name);
  if (act.kind === 'hold') book.applyClosedHold(id, act.size);
  else if (act.kind === 'failed') book.applyFailed(id, atSecond(second));
  else if (act.kind === 'leg') book.applySandwichLeg(id, atSecond(second));
  else if (act.kind === 'other') book.applyOtherActivity(id);
  else if (act.kind === 'evict') book.evict(evicts ? act.size % 4 : 99);
  else {
    const { side, lamports, flag } = act;
    const rest = { side, lamports, isRoundTrip: flag && act.size > 35, isFirstBuyOfMint: flag };
    const programIds = [address(act.program)];
    book.applyTrade(id, walletTrade(second, { ...rest, mint: address(act.mint), programIds }));
  }
}

/** Slots, each with its changes. */
const anySlots = fc.array(fc.array(anyAct, { maxLength: 6 }), { minLength: 1, maxLength: 12 });

function fold(stage: WalletStage, slots: readonly (readonly Act[])[], from = 0, evicts = true) {
  const flips: unknown[] = [];
  let second = from;
  for (const acts of slots) {
    for (const act of acts) {
      second += act.step;
      applyAct(stage, act, second, evicts);
    }
    flips.push(stage.book.takeFlips());
    second += 1;
  }
  return { flips, second };
}

/** Everything that can be read, by address. */
function answers({ book, ids, spill }: WalletStage) {
  const names = ['a', 'b', 'c', 'd'].map((name) => address(name));
  return {
    digest: [...book.digestRows()],
    wallets: names.map((name) => [book.verdict(ids.find(name)), book.profile(ids.find(name))]),
    spilled: [...spill.entries()].map(([id, row]) => [ids.addressOf(id), row.join()]).sort(),
    counts: [book.residentCount, book.spilledCount, book.programCount],
  };
}

test('slots that are undone and applied again change nothing', () => {
  fc.assert(
    fc.property(anySlots, anySlots, anySlots, (before, taken, after) => {
      const stage = walletStage(1);
      for (const name of ['a', 'b', 'c', 'd']) stage.wallet(name);
      const { second } = fold(stage, before);
      const state = answers(stage);
      stage.undo.open();
      fold(stage, taken, second);
      stage.undo.close();
      stage.undo.undo();
      expect(answers(stage)).toEqual(state);
      const calm = walletStage();
      for (const name of ['d', 'c', 'b', 'a']) calm.wallet(name);
      fold(calm, before);
      const flips = [stage, calm].map((each) => namedFlips(each, fold(each, after, second).flips));
      expect(flips[0]).toEqual(flips[1]);
      expect(answers(stage)).toEqual(answers(calm));
    }),
    { numRuns: 300 },
  );
});

test('no result depends on which profiles are spilled', () => {
  fc.assert(
    fc.property(anySlots, (slots) => {
      const [one, other] = [walletStage(), walletStage()];
      expect(fold(one, slots, 0, true).flips).toEqual(fold(other, slots, 0, false).flips);
      const [actual, expected] = [answers(one), answers(other)];
      expect([actual.digest, actual.wallets]).toEqual([expected.digest, expected.wallets]);
    }),
    { numRuns: 300 },
  );
});

test('the digest changes with a single additional trade', () => {
  const digests = [1, 2].map((count) => {
    const stage = walletStage();
    for (let at = 0; at < count; at++) trade(stage, at * 5);
    return [...stage.book.digestRows()].join();
  });
  expect(digests[0]).not.toBe(digests[1]);
});

function namedFlips({ ids }: WalletStage, flips: readonly unknown[]): unknown {
  return flips.map((slot) =>
    (slot as { wallet: number; class: string }[]).map((flip) => ({
      ...flip,
      wallet: ids.addressOf(flip.wallet),
    })),
  );
}
