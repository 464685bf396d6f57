import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { markRoundTrips } from './round-trips.ts';

const TRADER = address('trader');
const buy = (baseRaw: bigint, rest: Partial<Swap> = {}) =>
  swapEvent({ trader: TRADER, side: 'buy', baseRaw, quoteRaw: 50n }, rest);
const sell = (baseRaw: bigint, rest: Partial<Swap> = {}) =>
  swapEvent({ trader: TRADER, side: 'sell', baseRaw, quoteRaw: 50n }, rest);
const ELSEWHERE = { pool: address('another pool') };
const CAT = address('cat');
const DOG = address('dog');

describe('a token that only passed through its trader', () => {
  test('on one pool is an atomic round trip', () => {
    expect(marks([buy(1_000n), sell(1_000n)])).toEqual(['round trip', 'round trip']);
  });

  test('through two pools is a hop of a route or an arbitrage', () => {
    expect(marks([buy(1_000n), sell(1_000n, ELSEWHERE)])).toEqual(['hop', 'hop']);
  });

  test('may leave up to a thousandth of the moved amount', () => {
    // Gross 2,000, net 2: exactly a thousandth. Gross 2,001, net 3: more.
    expect(marks([buy(1_001n), sell(999n)])).toEqual(['round trip', 'round trip']);
    expect(marks([buy(1_002n), sell(999n)])).toEqual([null, null]);
  });

  test('may pass in parts', () => {
    const parts = [buy(600n), buy(400n), sell(1_000n)];
    expect(marks(parts)).toEqual(['round trip', 'round trip', 'round trip']);
  });
});

describe('a route through several pools', () => {
  test('keeps the buy of its output, also when the hop is a quote there', () => {
    const route = [
      swapOf(1, [WRAPPED_SOL, 30n], [USDC, -4_500n]),
      swapOf(2, [CAT, 900n], [WRAPPED_SOL, -30n]),
    ];
    expect(marks(route)).toEqual(['hop', null]);
  });

  test('keeps the sell of its input', () => {
    const route = [
      swapOf(1, [CAT, -900n], [WRAPPED_SOL, 30n]),
      swapOf(2, [WRAPPED_SOL, -30n], [USDC, 4_500n]),
    ];
    expect(marks(route)).toEqual([null, 'hop']);
  });

  test('through three pools keeps one', () => {
    const route = [
      swapOf(1, [USDT, 4_501n], [USDC, -4_500n]),
      swapOf(2, [WRAPPED_SOL, 30n], [USDT, -4_501n]),
      swapOf(3, [CAT, 900n], [WRAPPED_SOL, -30n]),
    ];
    expect(marks(route)).toEqual(['hop', 'hop', null]);
  });

  test('between two tokens keeps the sell of one and the buy of the other', () => {
    const route = [
      swapOf(1, [CAT, -900n], [WRAPPED_SOL, 30n]),
      swapOf(2, [DOG, 700n], [WRAPPED_SOL, -30n]),
    ];
    expect(marks(route)).toEqual([null, null]);
  });

  test('keeps every part of a split buy', () => {
    const route = [
      swapOf(1, [WRAPPED_SOL, 30n], [USDC, -4_500n]),
      swapOf(2, [CAT, 500n], [WRAPPED_SOL, -17n]),
      swapOf(3, [CAT, 400n], [WRAPPED_SOL, -13n]),
    ];
    expect(marks(route)).toEqual(['hop', null, null]);
  });

  test('back to its start keeps nothing', () => {
    const route = [
      swapOf(1, [WRAPPED_SOL, 30n], [USDC, -4_500n]),
      swapOf(2, [CAT, 900n], [WRAPPED_SOL, -30n]),
      swapOf(3, [CAT, -900n], [USDC, 4_600n]),
    ];
    expect(marks(route)).toEqual(['hop', 'hop', 'hop']);
  });

  test("spends what it received when a fee is paid on top of the pool's amount", () => {
    // The pool receives 2,970 of the 3,000 paid: from its side 30 of 5,970 would be left, 0.5 %.
    const route = [
      swapOf(1, [WRAPPED_SOL, 3_000n], [USDC, -4_500n]),
      swapOf(2, [CAT, 900n], [WRAPPED_SOL, -3_000n], { poolQuoteDelta: asRawAmount(2_970n) }),
    ];
    expect(marks(route)).toEqual(['hop', null]);
  });

  test("is read from the pool's side when the record does not show the payer", () => {
    const route = [
      swapOf(1, [WRAPPED_SOL, 30n], [USDC, -4_500n]),
      swapOf(2, [CAT, 900n], [WRAPPED_SOL, -30n], { traderQuoteDelta: null }),
    ];
    expect(marks(route)).toEqual(['hop', null]);
  });

  test('that keeps part of an intermediate token has bought that part', () => {
    const route = [
      swapOf(1, [WRAPPED_SOL, 30n], [USDC, -4_500n]),
      swapOf(2, [CAT, 600n], [WRAPPED_SOL, -20n]),
    ];
    expect(marks(route)).toEqual([null, null]);
  });
});

describe('pure arbitrage', () => {
  const CYCLE = [
    swapOf(1, [CAT, 900n], [WRAPPED_SOL, -30_000n]),
    swapOf(2, [CAT, -900n], [USDC, 4_600n]),
  ];

  test('is every swap of a cycle that ends with more than it began', () => {
    const cycle = [...CYCLE, swapOf(3, [WRAPPED_SOL, 30_100n], [USDC, -4_600n])];
    expect(arbitrage(cycle)).toEqual([true, true, true]);
    // The last one received SOL for its trader, so it is not a hop.
    expect(marks(cycle)).toEqual(['hop', 'hop', null]);
  });

  test('may lose up to a thousandth of the moved amount', () => {
    // A loss of 59 out of 59,941 gross is less than a thousandth; 61 out of 59,939 is more.
    const closing = (sol: bigint) => [...CYCLE, swapOf(3, [WRAPPED_SOL, sol], [USDC, -4_600n])];
    expect(arbitrage(closing(29_941n))).toEqual([true, true, true]);
    expect(arbitrage(closing(29_939n))).toEqual([false, false, false]);
  });

  test('is not a route whose user exchanged one mint for another', () => {
    expect(arbitrage(CYCLE)).toEqual([false, false]);
    expect(
      arbitrage([
        swapOf(1, [CAT, -900n], [WRAPPED_SOL, 30n]),
        swapOf(2, [DOG, 700n], [WRAPPED_SOL, -30n]),
      ]),
    ).toEqual([false, false]);
  });

  test('is not a round trip on one pool, with or without profit', () => {
    const trip = [
      swapOf(1, [CAT, 900n], [WRAPPED_SOL, -30n]),
      swapOf(1, [CAT, -900n], [WRAPPED_SOL, 31n]),
    ];
    expect(arbitrage(trip)).toEqual([false, false]);
    // Next to a cycle it remains a round trip.
    const cycle = [
      swapOf(2, [DOG, 70n], [WRAPPED_SOL, -30n]),
      swapOf(3, [DOG, -70n], [WRAPPED_SOL, 33n]),
    ];
    expect(arbitrage([...trip, ...cycle])).toEqual([false, false, true, true]);
    expect(marks([...trip, ...cycle])).toEqual(['round trip', 'round trip', 'hop', 'hop']);
  });

  test('is determined separately for each trader', () => {
    const other = { trader: address('other') };
    const swaps = [
      swapOf(1, [CAT, 900n], [WRAPPED_SOL, -30n]),
      swapOf(2, [CAT, -900n], [WRAPPED_SOL, 31n]),
      swapOf(3, [DOG, 70n], [WRAPPED_SOL, -30n], other),
    ];
    expect(arbitrage(swaps)).toEqual([true, true, false]);
    const sold = [
      swapOf(1, [CAT, 900n], [USDC, -30n]),
      swapOf(2, [CAT, -900n], [USDC, 31n], other),
    ];
    expect(arbitrage(sold)).toEqual([false, false]);
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

  test('when the other side belongs to another trader or another token', () => {
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

/** A swap on its own pool, given by the changes of the trader's holdings. */
function swapOf(
  pool: number,
  [baseMint, base]: readonly [Address, bigint],
  [quoteMint, quote]: readonly [Address, bigint],
  rest: Partial<Swap> = {},
): Swap {
  const swap = base > 0n ? buy(base) : sell(-base);
  return {
    ...swap,
    pool: address(`pool ${pool}`),
    baseMint,
    quoteMint,
    traderQuoteDelta: asRawAmount(quote),
    poolQuoteDelta: asRawAmount(-quote),
    ...rest,
  };
}

function arbitrage(swaps: readonly Swap[]): boolean[] {
  const events: ChainEvent[] = [...swaps];
  markRoundTrips(events);
  return events.map((event) => event.kind === 'swap' && event.isPureArbitrage);
}
