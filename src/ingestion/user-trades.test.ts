import { describe, expect, test } from 'vitest';
import { buildSwap } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { PricedSwap } from '../model/derived.ts';
import type { Side } from '../model/swap.ts';
import { type Address, asRawAmount, asSlot, asUsdNano } from '../model/units.ts';
import { toTrade, toUserTrades } from './user-trades.ts';

const NO_LABELS = { isBundled: () => false, isWash: () => false };
const CONTEXT = { labels: NO_LABELS, finalSlot: 0 };
const MINT = address('mint');
const USDC = address('usdc');

interface Leg {
  readonly side: Side;
  /** In whole tokens of 6 decimals. */
  readonly tokens: bigint;
  readonly quote: bigint;
  readonly dollars: bigint | null;
  readonly outerIx: number;
  readonly quoteMint?: Address;
  readonly trader?: Address;
  readonly baseMint?: Address;
}

function leg({ side, tokens, quote, dollars, outerIx, ...swap }: Leg): PricedSwap {
  const sign = side === 'buy' ? 1n : -1n;
  return buildSwap(address(`pool ${outerIx}`), 'transaction', {
    slot: asSlot(9),
    valueUsd: dollars === null ? null : asUsdNano(dollars * 10n ** 9n),
    swap: {
      ...{ outerIx, side, baseMint: MINT, ...swap },
      poolBaseDelta: asRawAmount(-sign * tokens * 1_000_000n),
      poolQuoteDelta: asRawAmount(sign * quote),
    },
  });
}

/** Newest first, as they are read. */
const userTradesOf = (...legs: PricedSwap[]) => toUserTrades(legs.reverse(), CONTEXT);

describe('trades of users', () => {
  test('with a route over two pools are one trade with the sums of both', () => {
    const trades = userTradesOf(
      leg({ side: 'buy', tokens: 300n, quote: 40n, dollars: 6n, outerIx: 1 }),
      leg({ side: 'buy', tokens: 100n, quote: 10n, dollars: 2n, outerIx: 2 }),
    );
    // 8 dollars for 400 tokens are 0.02 dollars a token.
    expect(trades).toMatchObject([
      {
        ...{ outerIx: 1, pool: address('pool 1'), side: 'buy', baseRaw: 400_000_000n },
        ...{ quoteRaw: 50n, valueUsd: 8_000_000_000n, priceUsd: 2n * 10n ** 16n },
      },
    ]);
  });

  test('with a sale in between have what was bought less what was sold', () => {
    const trades = userTradesOf(
      leg({ side: 'buy', tokens: 10n, quote: 10n, dollars: 2n, outerIx: 1 }),
      leg({ side: 'sell', tokens: 30n, quote: 33n, dollars: 7n, outerIx: 2 }),
    );
    expect(trades).toMatchObject([
      { side: 'sell', baseRaw: 20_000_000n, quoteRaw: 23n, valueUsd: 5_000_000_000n },
    ]);
  });

  test('have no value when money and tokens moved in the same direction, or one is unknown', () => {
    const arbitrage = userTradesOf(
      leg({ side: 'buy', tokens: 30n, quote: 10n, dollars: 2n, outerIx: 1 }),
      leg({ side: 'sell', tokens: 20n, quote: 33n, dollars: 7n, outerIx: 2 }),
    );
    const unknown = { side: 'buy', quoteRaw: null, valueUsd: null, priceUsd: null };
    expect(arbitrage).toMatchObject([{ ...unknown, baseRaw: 10_000_000n }]);
    const unpriced = userTradesOf(
      leg({ side: 'buy', tokens: 1n, quote: 10n, dollars: 2n, outerIx: 1 }),
      leg({ side: 'buy', tokens: 1n, quote: 10n, dollars: null, outerIx: 2 }),
    );
    expect(unpriced).toMatchObject([{ quoteRaw: 20n, valueUsd: null, priceUsd: null }]);
  });

  test('in several quotes have a value and no quote', () => {
    const trades = userTradesOf(
      leg({ side: 'buy', tokens: 1n, quote: 10n, dollars: 2n, outerIx: 1 }),
      leg({ side: 'buy', tokens: 1n, quote: 2n, dollars: 2n, outerIx: 2, quoteMint: USDC }),
    );
    expect(trades).toMatchObject([
      { quoteMint: null, quoteRaw: null, quoteDecimals: null, valueUsd: 4_000_000_000n },
    ]);
  });

  test('that cancel each other out are no trade, and those of others stay apart', () => {
    const trades = userTradesOf(
      leg({ side: 'buy', tokens: 5n, quote: 10n, dollars: 2n, outerIx: 1 }),
      leg({ side: 'sell', tokens: 5n, quote: 10n, dollars: 2n, outerIx: 2 }),
      leg({ side: 'sell', tokens: 5n, quote: 1n, dollars: 2n, outerIx: 3, trader: address('b') }),
      leg({ side: 'buy', tokens: 7n, quote: 1n, dollars: 2n, outerIx: 4, baseMint: address('n') }),
    );
    expect(trades.map(({ outerIx, side }) => [outerIx, side])).toEqual([
      [4, 'buy'],
      [3, 'sell'],
    ]);
  });
});

describe('a swap as a trade', () => {
  test('has the amounts of the pool and every flag that applies', () => {
    const swap = leg({ side: 'sell', tokens: 5n, quote: 10n, dollars: 2n, outerIx: 1 });
    const flagged = {
      ...swap,
      exclusion: 'quarantined' as const,
      swap: {
        ...swap.swap,
        ...{ isIntermediateHop: true, isPureArbitrage: true, isAtomicRoundTrip: true },
      },
    };
    const labels = { isBundled: () => true, isWash: () => true };
    expect(toTrade(flagged, { labels, finalSlot: 8 })).toMatchObject({
      ...{ side: 'sell', baseRaw: 5_000_000n, quoteRaw: 10n, isFinal: false },
      flags: ['hop', 'arbitrage', 'round_trip', 'bundled', 'wash', 'quarantined'],
    });
    expect(toTrade(swap, { labels: NO_LABELS, finalSlot: 9 })).toMatchObject({
      ...{ isFinal: true, flags: [], wallet: address('trader') },
    });
  });
});
