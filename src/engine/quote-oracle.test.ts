import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fallbackSolUsd, START_MS, TOKEN } from '../../tests/support/master-fixture.ts';
import { NaiveQuotes } from '../../tests/support/naive-quotes.ts';
import { firstDifference, stateImage } from '../../tests/support/state-image.ts';
import type { PricedSwap, SlotChanges } from '../model/derived.ts';
import { USDC, type Venue, WRAPPED_SOL } from '../model/program.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Swap } from '../model/swap.ts';
import { type Address, asAddress, asRawAmount } from '../model/units.ts';
import { Engine } from './engine.ts';

/**
 * Markets in which every coin may be quoted in every other, in SOL and in dollars, by two pools:
 * chains of all lengths and cycles, pools without trades for long, thin pools, pools of programs
 * without a decoder. Price changes are small enough for each trade to set its pool's price.
 */
const coins = ['A', 'B', 'C', 'D', 'E', 'F'].map(address);

const pool = fc
  .record({
    base: fc.nat(coins.length - 1),
    /** Undefined: the coin before it, and SOL for the first one. */
    other: fc.option(fc.constantFrom(...coins, WRAPPED_SOL, USDC), { nil: undefined, freq: 2 }),
    venue: fc.constantFrom<Venue>('raydium_cpmm', 'raydium_cpmm', 'pump_amm', 'pump', 'inferred'),
  })
  .map(({ base, other, venue }) => ({
    baseMint: asAddress(coins[base] ?? ''),
    quoteMint: other ?? coins[base - 1] ?? WRAPPED_SOL,
    venue,
  }))
  .filter(({ baseMint, quoteMint }) => baseMint !== quoteMint)
  .map((identity) => ({
    ...identity,
    quoteDecimals: identity.quoteMint === WRAPPED_SOL ? 9 : 6,
  }));

type Pool = typeof pool extends fc.Arbitrary<infer Value> ? Value : never;

const trade = fc.record({
  pool: fc.nat(),
  percent: fc.integer({ min: 97, max: 103 }),
  side: fc.constantFrom<Swap['side']>('buy', 'sell'),
  /** Whole quote tokens: a coin is worth some $200 or $1. */
  depth: fc.constantFrom(26n, 4_900n, 5_100n, ...Array(6).fill(10_000_000n)),
  /** Part of it that is virtual. */
  virtual: fc.constantFrom<bigint | null>(null, null, null, 0n, 5n, -5n),
  hasReserves: fc.constantFrom(true, true, true, true, true, false),
});

const market = fc.record({
  pools: fc.array(pool, { minLength: 8, maxLength: 12 }),
  slots: fc.array(
    fc.record({
      elapsedMs: fc.constantFrom(...Array(9).fill(400), 20_000, 400_000, 901_000),
      trades: fc.array(trade, { minLength: 2, maxLength: 6 }),
    }),
    { minLength: 6, maxLength: 14 },
  ),
});

type Market = typeof market extends fc.Arbitrary<infer Value> ? Value : never;
type Trade = Market['slots'][number]['trades'][number];

let traders = 0;

function toSwap(
  { percent, side, depth, virtual, hasReserves }: Trade,
  at: Pool & { readonly pool: Address },
): Swap {
  const unit = 10n ** BigInt(at.quoteDecimals);
  const draft = { trader: address(`trader ${traders++}`), side } as const;
  const amounts = { baseRaw: 100n * TOKEN, quoteRaw: BigInt(percent) * unit };
  const quote = depth * unit;
  const base = asRawAmount(depth * TOKEN);
  const reserves = {
    base,
    quote: asRawAmount(quote),
    virtualBase: virtual === null ? null : base,
    virtualQuote: virtual === null ? null : asRawAmount(quote + virtual * unit),
  };
  return swapEvent({ ...draft, ...amounts }, { ...at, reserves: hasReserves ? reserves : null });
}

function toSlots({ pools, slots }: Market): SlotFacts[] {
  let timeMs = START_MS;
  return slots.map(({ elapsedMs, trades }, index) => {
    timeMs += elapsedMs;
    const transactions = trades.map((each, txIndex) => {
      const index = each.pool % pools.length;
      const at = { ...(pools[index] as Pool), pool: address(`pool ${index}`) };
      const swap = toSwap(each, at);
      return transactionFacts({ txIndex, signers: [asAddress(swap.trader ?? '')], events: [swap] });
    });
    return slotFacts(1_000 + index, timeMs, transactions);
  });
}

/** Prices of a slot's quotes, recomputed from the published records of earlier slots. */
function expectRecounted(naive: NaiveQuotes, { swaps, slot, timeMs }: SlotChanges): PricedSwap[] {
  const context = { nowMs: timeMs, solUsd: fallbackSolUsd };
  const own = swaps.filter((priced) => priced.slot === slot);
  for (const { swap, valueUsd, quoteChain } of own) {
    const quote = naive.quote(swap.quoteMint, context);
    const quoteRaw = swap.poolQuoteDelta < 0n ? -swap.poolQuoteDelta : swap.poolQuoteDelta;
    const scale = 10n ** BigInt(swap.quoteDecimals + 9);
    expect(valueUsd).toBe(quote && (2n * quoteRaw * quote.usd + scale) / (2n * scale));
    expect(
      quoteChain && {
        usd: quoteChain.usd,
        path: quoteChain.links.map((link) => [link.mint, link.pool]),
        reference: quoteChain.reference,
        ageMs: quoteChain.ageMs,
        thinnestUsd: quoteChain.thinnestUsd,
      },
    ).toEqual(
      quote === null || quote.path.length === 0
        ? null
        : {
            usd: quote.usd,
            path: quote.path,
            reference: quote.reference,
            ageMs: timeMs - quote.setMs,
            thinnestUsd: quote.thinnestUsd,
          },
    );
  }
  return own;
}

describe('prices of quotes', () => {
  test('equal a recomputation from published records, for any pairs', () => {
    const seen = { links: [0, 0, 0, 0, 0], unknown: 0 };
    fc.assert(
      fc.property(market, (given) => {
        const engine = new Engine({ fallbackSolUsd });
        const naive = new NaiveQuotes();
        for (const facts of toSlots(given)) {
          const changes = engine.apply(facts);
          for (const { quoteChain, valueUsd } of expectRecounted(naive, changes)) {
            const length = quoteChain?.links.length ?? 0;
            if (valueUsd === null) seen.unknown++;
            else seen.links[length] = (seen.links[length] ?? 0) + 1;
          }
          naive.add(changes);
        }
      }),
      { numRuns: 150 },
    );
    // Every chain length occurred: no comparison was between missing values only.
    expect([...seen.links, seen.unknown].filter((count) => count === 0)).toEqual([]);
  });

  test('never form a cycle, for any choice of pools', () => {
    fc.assert(
      fc.property(market, (given) => {
        const engine = new Engine({ fallbackSolUsd });
        for (const facts of toSlots(given)) {
          for (const { swap, quoteChain } of engine.apply(facts).swaps) {
            const mints = quoteChain?.links.map(({ mint }) => mint) ?? [];
            expect(new Set(mints).size).toBe(mints.length);
            expect(mints.includes(swap.baseMint) && mints[0] !== swap.quoteMint).toBe(false);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('are the same after a fork as without it', () => {
    fc.assert(
      fc.property(market, market, (given, dropped) => {
        const slots = toSlots(given);
        const calm = new Engine({ fallbackSolUsd });
        const forked = new Engine({ fallbackSolUsd });
        for (const facts of slots) {
          const before = stateImage(forked);
          const [branch] = toSlots(dropped);
          if (branch !== undefined) {
            const { blockTimeMs, slot } = facts;
            forked.apply({ ...branch, slot, blockTimeMs }, { isFinal: false });
            forked.undo();
          }
          expect(firstDifference(before, stateImage(forked))).toBeNull();
          expect(forked.apply(facts)).toEqual(calm.apply(facts));
        }
        expect(forked.digest()).toBe(calm.digest());
      }),
      { numRuns: 15 },
    );
  });
});
