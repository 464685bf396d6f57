import { describe, expect, test } from 'vitest';
import { address } from '../../../../tests/support/build-transaction.ts';
import { atSecond, walletStage, walletTrade } from '../../../../tests/support/wallet-stage.ts';
import type { WalletBook } from '../wallet-book.ts';
import type { BotRuleName } from './bot-rule.ts';
import { BOT_RULES } from './registry.ts';

const DAY = 86_400;
const HOUR = 3_600;

interface Case {
  readonly rule: BotRuleName;
  readonly what: string;
  /** Performs `count` of the actions that the rule counts. */
  readonly act: (book: WalletBook, wallet: number, count: number) => void;
  readonly threshold: number;
}

function buy(book: WalletBook, wallet: number, second: number, rest = {}): void {
  book.applyTrade(wallet, walletTrade(second, rest));
}

const CASES: readonly Case[] = [
  {
    rule: 'same_transaction_round_trips',
    what: 'transactions that buy and sell back',
    threshold: 2,
    act: (book, wallet, count) => {
      for (let at = 0; at < count; at++) buy(book, wallet, at * 5_000, { isRoundTrip: true });
      buy(book, wallet, 80_000);
    },
  },
  {
    rule: 'sandwich_pairs',
    what: 'legs of a sandwich',
    threshold: 2,
    act: (book, wallet, count) => {
      buy(book, wallet, 100);
      buy(book, wallet, 101, { side: 'sell' });
      for (let at = 0; at < count; at++) book.applySandwichLeg(wallet, atSecond(100 + at));
    },
  },
  {
    rule: 'same_slot_pairs',
    what: 'pairs of a buy and a sale in one slot',
    threshold: 5,
    act: (book, wallet, count) => {
      for (let at = 0; at < count; at++) {
        buy(book, wallet, at * 1_000);
        buy(book, wallet, at * 1_000, { side: 'sell' });
      }
    },
  },
  {
    rule: 'swap_rate',
    what: 'swaps within 23 hours, by no clock',
    threshold: 500,
    act: (book, wallet, count) => {
      for (let at = 0; at < count; at++) buy(book, wallet, at * 120 + (at % 2) * 100);
    },
  },
  {
    rule: 'swap_rate',
    what: 'swaps within ten minutes, by no clock',
    threshold: 60,
    act: (book, wallet, count) => {
      for (let at = 0; at < count; at++) buy(book, wallet, at * 8 + (at % 2) * 5);
    },
  },
  {
    rule: 'no_sleep',
    what: 'hours of the second day, with 50 swaps and more on both',
    threshold: 23,
    act: (book, wallet, count) => {
      for (const [day, hours] of [23, count].entries()) {
        for (let at = 0; at < hours * 3; at++) {
          // Evenly spaced trades would be a saturated habit.
          buy(book, wallet, day * DAY + at * (HOUR / 3) + (at % 2) * 900 + 7);
        }
      }
    },
  },
  {
    rule: 'no_sleep',
    what: 'swaps on the second day, in all of its hours',
    threshold: 50,
    act: (book, wallet, count) => {
      for (let at = 0; at < 72; at++) buy(book, wallet, at * (HOUR / 3));
      const last = count - 24;
      for (let at = 0; at < last; at++) buy(book, wallet, DAY + at * 60);
      for (let hour = 0; hour < 24; hour++) buy(book, wallet, DAY + hour * HOUR + 3_000);
    },
  },
];

describe.each(CASES)('$rule by $what', ({ rule, threshold, act }) => {
  const judged = (count: number) => {
    const { book, wallet } = walletStage();
    act(book, wallet(), count);
    return { flips: book.takeFlips(), verdict: book.verdict(wallet()) };
  };

  test(`leaves a wallet alone at ${threshold - 1}`, () => {
    const { flips, verdict } = judged(threshold - 1);
    expect(flips).toEqual([]);
    expect(verdict).toMatchObject({ class: 'organic', rule: null, ruleHeldMs: null });
    expect(verdict?.score).toBeLessThan(0.5);
  });

  test(`makes it a bot at ${threshold}, with a score of 0.99 and the evidence`, () => {
    const { flips, verdict } = judged(threshold);
    expect(flips).toEqual([{ wallet: 0, class: 'bot' }]);
    expect(verdict).toMatchObject({ class: 'bot', rule, score: 0.99 });
    const reached = verdict?.evidence.filter((each) => each.value >= each.threshold) ?? [];
    expect(reached.map((each) => each.threshold)).toContain(threshold);
  });
});

test('actions more than a day ago count for no rule', () => {
  const { book, wallet } = walletStage();
  buy(book, wallet(), 0, { isRoundTrip: true });
  buy(book, wallet(), DAY, { isRoundTrip: true });
  expect(book.takeFlips()).toEqual([]);
  // 1 s less than a day after the previous one.
  buy(book, wallet(), DAY + DAY - 1, { isRoundTrip: true });
  expect(book.takeFlips()).toHaveLength(1);
});

test('a sale of one mint and a buy of another in one slot are not a pair', () => {
  const { book, wallet } = walletStage();
  for (let at = 0; at < 9; at++) {
    buy(book, wallet(), at * 1_000);
    buy(book, wallet(), at * 1_000, { side: 'sell', mint: address('other mint') });
  }
  book.takeFlips();
  expect(book.verdict(wallet())?.class).toBe('organic');
});

test('each rule has a description and a unique name', () => {
  expect(new Set(BOT_RULES.map(({ name }) => name)).size).toBe(BOT_RULES.length);
  for (const { what, why } of BOT_RULES)
    expect(Math.min(what.length, why.length)).toBeGreaterThan(20);
  // A profile stores the rule in three bits; 0 means none.
  expect(BOT_RULES.length).toBeLessThanOrEqual(7);
});
