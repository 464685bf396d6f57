import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  type BookStep,
  expectRestored,
  expectSameWithoutMemory,
  type StoredBook,
} from '../../../tests/support/evicted-book.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import type { QuoteChain } from '../../model/quote-chain.ts';
import type { Swap } from '../../model/swap.ts';
import {
  type Address,
  asAddress,
  asPriceE18,
  asRawAmount,
  asSlot,
  asUsdNano,
} from '../../model/units.ts';
import { CandleBook } from './candles.ts';
import { LogicalClock } from './logical-time.ts';
import { RobustPriceBook } from './robust-price.ts';
import { markClass, markTokenPrice } from './settling-trade.ts';
import { SolPriceBook } from './sol-price.ts';

const POOLS = ['pool a', 'pool b', 'pool c', 'pool d'].map((name) => address(name));
const MINTS = ['mint a', 'mint b'].map((name) => address(name));

interface Market {
  readonly clock: LogicalClock;
  readonly solPrices: SolPriceBook;
  readonly prices: RobustPriceBook;
  readonly candles: CandleBook;
}

const trade = fc.record({
  pool: fc.nat(POOLS.length - 1),
  trader: fc.constantFrom('x', 'x', 'y', null),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  tokens: fc.constantFrom(99n, 100n, 100n, 10n),
  // Thousandths of a SOL: sandwiches, spikes, and jumps of thin pools.
  price: fc.constantFrom(1_000n, 1_010n, 1_020n, 1_300n, 1_600n, 3_000n),
  isThin: fc.boolean(),
  hasChain: fc.boolean(),
  kind: fc.constantFrom('plain', 'plain', 'plain', 'plain', 'dust', 'passing', 'passing', 'busy'),
});
type Trade = typeof trade extends fc.Arbitrary<infer T> ? T : never;

const slot = fc.record({
  gapSlots: fc.constantFrom(1, 1, 1, 2, 5),
  gapMs: fc.constantFrom(null, 0, 400, 400, 2_000, 6_000, 31_000),
  trades: fc.array(trade, { maxLength: 6 }),
  solUsd: fc.option(fc.nat(300)),
});
/** Its number follows from its place in the history. */
interface Slot {
  readonly number: number;
  readonly timeMs: number | null;
  readonly trades: readonly Trade[];
  readonly solUsd: number | null;
}

const CHAIN: QuoteChain = {
  usd: asPriceE18(7n * 10n ** 18n),
  links: [{ mint: address('quote'), pool: address('quote pool') }],
  reference: WRAPPED_SOL,
  setSlot: asSlot(3),
  ageMs: 12,
  thinnestUsd: asUsdNano(10n ** 12n),
  hasLaunchpadCoin: null,
};

function priced(draft: Trade, at: { number: number; timeMs: number }): PricedSwap {
  const { tokens, price, side, kind } = draft;
  const quote = asRawAmount(draft.isThin ? SOL : 1_000n * SOL);
  const rest: Partial<Swap> = {
    pool: asAddress(POOLS[draft.pool] ?? ''),
    baseMint: asAddress(MINTS[draft.pool % MINTS.length] ?? ''),
    reserves: { base: asRawAmount(TOKEN), quote, virtualBase: null, virtualQuote: null },
    isPureArbitrage: kind === 'passing',
    // Fields that only some swaps have.
    ...(kind === 'busy' ? { program: address('program'), legsOnly: true } : {}),
    ...(draft.trader === null ? { trader: null } : {}),
  };
  const result = pricedTrade({
    slot: at.number,
    timeMs: at.timeMs,
    trader: draft.trader ?? 'nobody',
    side,
    baseRaw: kind === 'dust' ? 1n : tokens * TOKEN,
    quoteRaw: (tokens * price * SOL) / 1_000_000n,
    rest,
  });
  return draft.hasChain ? { ...result, quoteChain: CHAIN } : result;
}

function solTrade(usd: number): Swap {
  const draft = { trader: address('s'), side: 'buy', baseRaw: SOL, quoteRaw: 1n } as const;
  return swapEvent(draft, {
    pool: address(`SOL pool ${usd % 3}`),
    baseMint: WRAPPED_SOL,
    quoteMint: USDC,
    baseDecimals: 9,
    quoteDecimals: 6,
    poolBaseDelta: asRawAmount(-SOL),
    poolQuoteDelta: asRawAmount(BigInt(usd) * 1_000_000n),
  });
}

/** Calls the books as the engine does. */
const MARKET: StoredBook<Market, Slot> = {
  create(undo) {
    const ids = new AddressIds<Address>(undo);
    return {
      clock: new LogicalClock(undo),
      solPrices: new SolPriceBook({ fallbackUsd: null }, undo),
      prices: new RobustPriceBook(undo, ids),
      candles: new CandleBook(undo, ids),
    };
  },
  apply({ clock, solPrices, prices, candles }, { number, timeMs, trades, solUsd }) {
    const at = clock.advance(asSlot(number), timeMs);
    const sol = solPrices.applySlot(at, solUsd === null ? [] : [solTrade(solUsd)]);
    const applied = trades.flatMap((each) => {
      const copies = each.kind === 'busy' ? 30 : 1;
      const swap = priced(each, { number, timeMs: at.timeMs });
      return Array.from({ length: copies }, () => prices.applySwap(swap));
    });
    for (const each of applied) {
      if (each.priced.swap.pool !== POOLS[3]) markTokenPrice(each);
      candles.add(each, asRawAmount(5n));
    }
    const { relabelled, settled, repriced } = prices.closeSlot(at.slot, at.timeMs);
    const labels = [relabelled, settled].map((each) => each.map((one) => one.priced));
    const changed = candles.closeSlot(at.slot, at.timeMs, { relabelled, settled });
    for (const each of applied) {
      if (each.priced.swap.side === 'buy') markClass(each, 'organic', true);
    }
    return { at, sol, labels, repriced, changed, trades: applied.map((each) => each.priced) };
  },
  view({ clock, solPrices, prices, candles }) {
    const pools = POOLS.map((pool) => [prices.priceOf(pool), prices.isFinal(pool)]);
    const sol = [solPrices.current(), solPrices.usdPerQuote(WRAPPED_SOL)];
    const sizes = [prices.size, candles.size];
    return { pools, sol, sizes, timeMs: clock.timeMs, timedSlot: clock.timedSlot };
  },
  unannounced: ({ prices, candles }) => [...prices.unannounced(), ...candles.unannounced()],
};

/** Numbers the slots of a history, whose undone slots are followed by ones of the same number. */
function toSlots(drafts: readonly (typeof slot extends fc.Arbitrary<infer T> ? T : never)[]) {
  let [number, nowMs] = [10, 1_000];
  return drafts.map(({ gapSlots, gapMs, trades, solUsd }): Slot => {
    number += gapSlots;
    nowMs += gapMs ?? 0;
    return { number, timeMs: gapMs === null ? null : nowMs, trades, solUsd };
  });
}

const slots = (lengths: { minLength: number; maxLength: number }) =>
  fc.array(slot, lengths).map(toSlots);

const fate = fc.constantFrom('stays', 'stays', 'is undone', 'is final', 'is tried' as const);

/** A slot that is tried is applied to a book that is out of memory, undone, and applied again. */
function stepsOf(history: readonly Slot[], fates: readonly string[]): BookStep<Slot>[] {
  return history.flatMap((each, index): BookStep<Slot>[] => {
    const step = { slot: each };
    switch (fates[index % fates.length]) {
      case 'is undone':
        return [step, 'undo'];
      case 'is final':
        return [step, 'final'];
      case 'is tried':
        return ['final', step, 'undo', step];
      default:
        return [step];
    }
  });
}

const fates = fc.array(fate, { minLength: 1, maxLength: 20 });

describe('prices, candles and time', () => {
  test('are the same whether or not they are in memory', () => {
    fc.assert(
      fc.property(slots({ minLength: 1, maxLength: 40 }), fates, (history, each) => {
        expectSameWithoutMemory(MARKET, stepsOf(history, each));
      }),
    );
  });

  test('go on from a checkpoint as they did', () => {
    const parts = fc.tuple(slots({ minLength: 2, maxLength: 40 }), fc.nat(), fates);
    fc.assert(
      fc.property(parts, ([history, split, each]) => {
        const length = 1 + (split % (history.length - 1));
        expectRestored(MARKET, stepsOf(history.slice(0, length), each), history.slice(length));
      }),
    );
  });

  test('have histories in the tests with relabelled trades and several open candles', () => {
    let [relabelled, open] = [0, 0];
    for (const history of fc.sample(slots({ minLength: 20, maxLength: 40 }), {
      numRuns: 50,
      seed: 1,
    })) {
      const market = MARKET.create(new UndoLog());
      for (const each of history) {
        const { labels } = MARKET.apply(market, each) as { labels: PricedSwap[][] };
        relabelled += labels[0]?.length ?? 0;
        open = Math.max(open, market.candles.size);
      }
    }
    expect([relabelled > 100, open > 6]).toEqual([true, true]);
  });
});
