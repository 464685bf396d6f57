import { describe, expect, test } from 'vitest';
import { jitoTip, swapEvent, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  createTrader,
  f1,
  fallbackSolUsd,
  fold,
  launch,
  SOL,
  second,
  TOKEN,
} from '../../../tests/support/master-fixture.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { Engine } from '../engine.ts';

describe('the digest', () => {
  test('is the same for the same slots, and differs after each of them', () => {
    const [one, other] = [new Engine({ fallbackSolUsd }), new Engine({ fallbackSolUsd })];
    const seen = new Set<string>();
    for (const facts of f1()) {
      one.apply(facts);
      other.apply(facts);
      expect(other.digest()).toBe(one.digest());
      seen.add(one.digest());
    }
    expect(seen.size).toBe(f1().length);
  });

  test('does not depend on the order in which programs appear', () => {
    const none = { ignored: 0, unknown: 0, malformed: 0, quarantined: 0 };
    const [pump, system] = [
      { ...none, event: 1 },
      { ...none, event: 2 },
    ];
    const digestOf = (outcomes: SlotFacts['outcomes']) =>
      fold([{ ...second(0), outcomes }]).engine.digest();
    expect(digestOf({ pump, system })).toBe(digestOf({ system, pump }));
  });

  test('covers the wallets of a pool, not only their number', () => {
    // Long after the trade only the pool's wallets still identify the trader.
    const digests = ['A', 'B'].map((key) => {
      const draft = { trader: address(key), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
      const bought = transactionFacts({ txIndex: 0, events: [swapEvent(draft)] });
      return fold([second(0, bought), second(90), second(91)]).engine.digest();
    });
    expect(digests[0]).not.toBe(digests[1]);
  });

  test('covers which bundles were found, not only their number', () => {
    const at = (first: number) => {
      const pair = ['a', 'b'].map((key, offset) => {
        const draft = { trader: address(key), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
        return transactionFacts({
          txIndex: first + offset,
          tips: offset === 0 ? jitoTip() : [],
          events: [swapEvent(draft)],
        });
      });
      // After the trades have settled, only the bundles still show where in the block they
      // were.
      const { engine } = fold([second(0, ...pair), second(90), second(91)]);
      expect(engine.counters.bundledTransactions).toBe(2);
      return engine.digest();
    };
    expect(at(3)).not.toBe(at(8));
  });

  test('differs for states that differ in one unit', () => {
    const digests = [SOL, SOL + 1n].map((sol) =>
      fold([second(0, launch()), second(1, createTrader()('A', 'buy', sol, 1n))]).engine.digest(),
    );
    expect(digests[0]).not.toBe(digests[1]);
  });
});
