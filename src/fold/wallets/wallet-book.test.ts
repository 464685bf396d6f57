import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import {
  atSecond,
  type WalletStage,
  walletStage,
  walletTrade,
} from '../../../tests/support/wallet-stage.ts';
import { UndoLog } from '../../lib/undo-log.ts';
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
    expect([book.size, book.takeFlips()]).toEqual([0, []]);
  });
});

describe('a profile', () => {
  test('takes 320 bytes', () => {
    expect(WALLET_LAYOUT.rowBytes).toBe(320);
  });
});

/** One change of a wallet. */
const anyAct = fc.record({
  kind: fc.constantFrom('trade', 'trade', 'trade', 'hold', 'failed', 'leg', 'other'),
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
function applyAct({ book, wallet }: WalletStage, act: Act, second: number): void {
  const id = wallet(act.name);
  if (act.kind === 'hold') book.applyClosedHold(id, act.size);
  else if (act.kind === 'failed') book.applyFailed(id, atSecond(second));
  else if (act.kind === 'leg') book.applySandwichLeg(id, atSecond(second));
  else if (act.kind === 'other') book.applyOtherActivity(id);
  else {
    const { side, lamports, flag } = act;
    const rest = { side, lamports, isRoundTrip: flag && act.size > 35, isFirstBuyOfMint: flag };
    const programIds = [address(act.program)];
    book.applyTrade(id, walletTrade(second, { ...rest, mint: address(act.mint), programIds }));
  }
}

/** Slots, each with its changes. */
const anySlots = fc.array(fc.array(anyAct, { maxLength: 6 }), { minLength: 1, maxLength: 12 });

function fold(stage: WalletStage, slots: readonly (readonly Act[])[], from = 0) {
  const flips: unknown[] = [];
  let second = from;
  for (const acts of slots) {
    for (const act of acts) {
      second += act.step;
      applyAct(stage, act, second);
    }
    flips.push(stage.book.takeFlips());
    second += 1;
  }
  return { flips, second };
}

/** Everything that can be read, by address. */
function answers({ book, ids }: WalletStage) {
  const names = ['a', 'b', 'c', 'd'].map((name) => address(name));
  return {
    wallets: names.map((name) => [book.verdict(ids.find(name)), book.profile(ids.find(name))]),
    counts: [book.size, book.programCount],
  };
}

test('slots that are undone and applied again change nothing', () => {
  fc.assert(
    fc.property(anySlots, anySlots, anySlots, (before, taken, after) => {
      const stage = walletStage(new UndoLog(1));
      for (const name of ['a', 'b', 'c', 'd']) stage.wallet(name);
      const { second } = fold(stage, before);
      const state = [answers(stage), sumsOf(stage.undo.pages)];
      stage.undo.open();
      fold(stage, taken, second);
      stage.undo.close();
      stage.undo.undo();
      expect([answers(stage), sumsOf(stage.undo.pages)]).toEqual(state);
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

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const kind = {
    create: (_: unknown, undo: UndoLog) => walletStage(undo),
    apply: (stage: WalletStage, acts: readonly (Act & { readonly second: number })[]) => {
      for (const act of acts) applyAct(stage, act, act.second);
      return stage.book.takeFlips();
    },
    answers,
  };
  const anyStory = fc.array(fc.tuple(fc.array(anyAct, { maxLength: 6 }), fc.boolean()), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyStory, fc.nat({ max: 12 }), (story, restoredAt) => {
      let second = 0;
      const slots = story.map(([acts, isUndone]) => ({
        slot: acts.map((act) => {
          second += act.step;
          return { ...act, second };
        }),
        reverted: Number(isUndone),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 100 },
  );
});

function namedFlips({ ids }: WalletStage, flips: readonly unknown[]): unknown {
  return flips.map((slot) =>
    (slot as { wallet: number; class: string }[]).map((flip) => ({
      ...flip,
      wallet: ids.addressOf(flip.wallet),
    })),
  );
}
