import type { SlotChanges } from '../../src/model/derived.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { NaiveQuotes } from './naive-quotes.ts';

const MINUTE_MS = 60_000;
const E18 = 10n ** 18n;
const USD_NANO = 10n ** 9n;
/** Slots after the last block time for which the time is an estimate. */
const ESTIMATED_SLOTS = 150;
/** Larger prices are unknown: they do not fit the columns of the store. */
const PRICE_BITS = 255n;

/** A swap of SOL against a stablecoin, as the reference of its minute counts it. */
interface SolTrade {
  readonly minuteMs: number;
  readonly pool: Address;
  readonly quoteNano: bigint;
  readonly lamports: bigint;
  /** Reserves of the stablecoin after the trade, in USD times 10^9; null if unknown. */
  readonly depthNano: bigint | null;
}

/** What a trade must show beside its amounts. */
export interface TradeValue {
  readonly timeMs: number;
  readonly priceUsd: bigint | null;
  readonly valueUsd: bigint | null;
}

/**
 * Time, price and value of the trades of a log, each computed anew from the raw amounts, the block
 * times and all earlier swaps of SOL against stablecoins (decision 0003): a fraction that is rounded
 * once, half up. Prices of other quote tokens follow from the published records (`NaiveQuotes`).
 */
export class NaiveTradeValues {
  private readonly solTrades: SolTrade[] = [];
  private readonly quotes = new NaiveQuotes();
  private readonly fallbackSolUsd: bigint;
  private timeMs = 0;
  private timedSlot = Number.NEGATIVE_INFINITY;
  private solUsd: bigint | null = null;

  constructor(fallbackSolUsd: bigint) {
    this.fallbackSolUsd = fallbackSolUsd;
  }

  /** Begins a slot; its trades are valued with `valueOf` until `end`. */
  begin({ slot, blockTimeMs, transactions }: SlotFacts): void {
    this.timeMs = Math.max(this.timeMs, blockTimeMs ?? 0);
    if (blockTimeMs !== null) this.timedSlot = slot;
    if (slot - this.timedSlot > ESTIMATED_SLOTS) {
      this.solUsd = this.fallbackSolUsd;
      return;
    }
    const minuteMs = this.timeMs - (this.timeMs % MINUTE_MS);
    for (const { error, events } of transactions) {
      if (error !== null) continue;
      for (const event of events) {
        const trade = event.kind === 'swap' ? solTradeOf(event, minuteMs) : null;
        if (trade !== null) this.solTrades.push(trade);
      }
    }
    this.solUsd = this.referenceAt(minuteMs) ?? this.fallbackSolUsd;
  }

  /** Ends a slot; the prices of quote tokens that it changed are those of the next one. */
  end(changes: SlotChanges): void {
    this.quotes.add(changes);
  }

  valueOf(swap: Swap): TradeValue {
    const asked = { nowMs: this.timeMs, solUsd: this.solUsd };
    const usd = this.quotes.quote(swap.quoteMint, asked)?.usd ?? null;
    if (usd === null) return { timeMs: this.timeMs, priceUsd: null, valueUsd: null };
    const base = magnitude(swap.poolBaseDelta);
    const worth = magnitude(swap.poolQuoteDelta) * usd;
    const units = 10n ** BigInt(swap.quoteDecimals);
    const price =
      base === 0n ? null : halfUp(worth * 10n ** BigInt(swap.baseDecimals), base * units);
    return {
      timeMs: this.timeMs,
      priceUsd: price === null || price >= 2n ** PRICE_BITS ? null : price,
      valueUsd: halfUp(worth, units * (E18 / USD_NANO)),
    };
  }

  /**
   * Trades above $100 before those of at least $1; of each the newest of the five minutes before,
   * then the minute itself.
   */
  private referenceAt(minuteMs: number): bigint | null {
    const minutes = [1, 2, 3, 4, 5, 0].map((ago) => minuteMs - ago * MINUTE_MS);
    for (const leastNano of [100n * USD_NANO + 1n, USD_NANO]) {
      for (const minute of minutes) {
        const price = medianPrice(this.solTrades, minute, leastNano);
        if (price !== null) return price;
      }
    }
    return null;
  }
}

function solTradeOf(swap: Swap, minuteMs: number): SolTrade | null {
  const isStable = swap.quoteMint === USDC || swap.quoteMint === USDT;
  const isKnown = swap.venue !== 'inferred' && swap.quarantine === null;
  if (swap.baseMint !== WRAPPED_SOL || !isStable || !isKnown) return null;
  const toNano = (raw: bigint) => (raw * USD_NANO) / 10n ** BigInt(swap.quoteDecimals);
  const quoteNano = toNano(magnitude(swap.poolQuoteDelta));
  const lamports = magnitude(swap.poolBaseDelta);
  if (quoteNano < USD_NANO || lamports === 0n) return null;
  const { reserves } = swap;
  const depthNano = reserves && toNano(reserves.virtualQuote ?? reserves.quote);
  return { minuteMs, pool: swap.pool, quoteNano, lamports, depthNano };
}

/** The median, over the three deepest pools of a minute, of what they paid for all their SOL. */
function medianPrice(trades: readonly SolTrade[], minuteMs: number, leastNano: bigint) {
  const inMinute = trades.filter((trade) => trade.minuteMs === minuteMs);
  const pools = [...Map.groupBy(inMinute, ({ pool }) => pool)].map(([pool, all]) => ({
    pool,
    depth: all.findLast(({ depthNano }) => depthNano !== null)?.depthNano ?? 0n,
    counted: all.filter(({ quoteNano }) => quoteNano >= leastNano),
  }));
  const deepest = pools
    .filter(({ counted }) => counted.length > 0)
    .sort((one, other) => compare(other.depth, one.depth) || compare(one.pool, other.pool))
    .slice(0, 3);
  const prices = deepest
    .map(({ counted }) => {
      const sum = (of: 'quoteNano' | 'lamports') =>
        counted.reduce((total, trade) => total + trade[of], 0n);
      return halfUp(sum('quoteNano') * E18, sum('lamports'));
    })
    .sort(compare);
  const [low, middle, high] = prices;
  if (low === undefined || middle === undefined) return low ?? null;
  return high === undefined ? halfUp(low + middle, 2n) : middle;
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Of what is not negative. */
function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
