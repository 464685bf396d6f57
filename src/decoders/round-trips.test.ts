import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { ChainEvent, Swap } from '../model/chain-event.ts';
import { markRoundTrips } from './round-trips.ts';

const TRADER = address('trader');
const buy = (baseRaw: bigint, rest: Partial<Swap> = {}) =>
  swapEvent({ trader: TRADER, side: 'buy', baseRaw, quoteRaw: 50n }, rest);
const sell = (baseRaw: bigint, rest: Partial<Swap> = {}) =>
  swapEvent({ trader: TRADER, side: 'sell', baseRaw, quoteRaw: 50n }, rest);
const ELSEWHERE = { pool: address('another pool') };

describe('a token that only passed through its trader', () => {
  test('on one pool is an atomic round trip', () => {
    expect(marks([buy(1_000n), sell(1_000n)])).toEqual(['round trip', 'round trip']);
  });

  test('through two pools is a hop of a route or an arbitrage', () => {
    expect(marks([buy(1_000n), sell(1_000n, ELSEWHERE)])).toEqual(['hop', 'hop']);
  });

  test('may leave a thousandth of what moved behind, and no more', () => {
    // Gross 2,000, net 2: exactly a thousandth. Gross 2,001, net 3: more.
    expect(marks([buy(1_001n), sell(999n)])).toEqual(['round trip', 'round trip']);
    expect(marks([buy(1_002n), sell(999n)])).toEqual([null, null]);
  });

  test('may pass in parts', () => {
    const parts = [buy(600n), buy(400n), sell(1_000n)];
    expect(marks(parts)).toEqual(['round trip', 'round trip', 'round trip']);
  });
});

describe('a swap is left unmarked', () => {
  test('when it is alone', () => {
    expect(marks([buy(1_000n)])).toEqual([null]);
  });

  test('when the trader keeps or spends the token', () => {
    expect(marks([buy(1_000n), sell(500n)])).toEqual([null, null]);
    expect(marks([buy(1_000n), buy(1_000n, ELSEWHERE)])).toEqual([null, null]);
  });

  test("when the other side is another trader's or another token", () => {
    const other = swapEvent({ ...SALE, trader: address('other') });
    expect(marks([buy(1_000n), other])).toEqual([null, null]);
    expect(marks([buy(1_000n), sell(1_000n, { baseMint: address('dog') })])).toEqual([null, null]);
  });
});

describe('marking', () => {
  test('keeps the order and everything else of the events', () => {
    const between: ChainEvent = {
      kind: 'curveComplete',
      outerIx: 0,
      innerIx: 3,
      venue: 'pump',
      mint: address('token-t'),
      pool: address('pool-t'),
    };
    const events: ChainEvent[] = [buy(7n), between, sell(7n)];
    markRoundTrips(events);
    expect(events).toEqual([
      buy(7n, { isAtomicRoundTrip: true }),
      between,
      sell(7n, { isAtomicRoundTrip: true }),
    ]);
  });

  test('never depends on the order of the swaps', () => {
    const swap = fc
      .tuple(fc.boolean(), fc.constantFrom(5n, 10n), fc.boolean())
      .map(([isBuy, amount, isElsewhere]) =>
        (isBuy ? buy : sell)(amount, isElsewhere ? ELSEWHERE : {}),
      );
    fc.assert(
      fc.property(fc.array(swap, { maxLength: 6 }), (swaps) => {
        expect(marks([...swaps].reverse())).toEqual(marks(swaps).reverse());
      }),
    );
  });
});

const SALE = { trader: TRADER, side: 'sell', baseRaw: 1_000n, quoteRaw: 50n } as const;

function marks(swaps: readonly Swap[]): (string | null)[] {
  const events: ChainEvent[] = [...swaps];
  markRoundTrips(events);
  return events.map((event) => {
    if (event.kind !== 'swap') return null;
    if (event.isAtomicRoundTrip) return 'round trip';
    return event.isIntermediateHop ? 'hop' : null;
  });
}
