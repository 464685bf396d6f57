import { CandleBook } from '../../src/fold/market/candles.ts';
import { RobustPriceBook } from '../../src/fold/market/robust-price.ts';
import { markTokenPrice, type SettlingTrade } from '../../src/fold/market/settling-trade.ts';
import type { Candle, PricedSwap } from '../../src/model/derived.ts';
import type { Address, RawAmount, Slot } from '../../src/model/units.ts';
import { pricedTrade, SOL, TOKEN } from './build-trades.ts';
import { address } from './build-transaction.ts';

export const POOL = address('pool-t');
export const OTHER_POOL = address('other');
export const MINT = address('token-t');
export const SUPPLY = 1_000n as RawAmount;

/** Both books as the engine uses them, and the last state of every candle. */
export class CandleFold {
  readonly prices = new RobustPriceBook();
  readonly book = new CandleBook();
  readonly candles = new Map<string, Candle>();
  readonly trades: SettlingTrade[] = [];

  /** The newest version of each shown candle, as a client that follows them has it. */
  readonly shown = new Map<string, Candle>();

  slot(slot: number, timeMs: number, swaps: readonly PricedSwap[] = [], primary = POOL): Candle[] {
    const trades = swaps.map((priced) => this.prices.applySwap(priced));
    for (const trade of trades) {
      if (trade.priced.swap.pool === primary) markTokenPrice(trade);
      this.book.add(trade, SUPPLY);
    }
    this.trades.push(...trades);
    const settlement = this.prices.closeSlot(slot as Slot, timeMs);
    const { candles: changed, shown } = this.book.closeSlot(slot as Slot, timeMs, settlement);
    for (const candle of shown) {
      const key = `${candle.scope} ${candle.openTimeMs}`;
      if (candle.usd === null) this.shown.delete(key);
      else this.shown.set(key, candle);
    }
    for (const candle of changed) {
      const key = `${candle.scope} ${candle.openTimeMs}`;
      if (this.candles.get(key)?.isFinal) throw new Error(`${key} changed after it was final`);
      this.candles.set(key, candle);
    }
    return [...changed];
  }

  shownOf(scope: string): Candle[] {
    return [...this.shown.values()]
      .filter((candle) => candle.scope === scope)
      .sort((one, other) => one.openTimeMs - other.openTimeMs);
  }

  of(scope: string): Candle[] {
    return [...this.candles.values()].filter((candle) => candle.scope === scope);
  }
}

export interface PlainTrade {
  readonly trader?: string;
  readonly side?: 'buy' | 'sell';
  readonly tokens?: bigint;
  readonly pool?: Address;
}

let names = 0;

/** A trade at `price` SOL per token, of 100 tokens by default. */
export function tradeAt(
  slot: number,
  timeMs: number,
  price: number,
  draft: PlainTrade = {},
): PricedSwap {
  const { trader = `t${names++}`, side = 'buy', tokens = 100n, pool = POOL } = draft;
  const quoteRaw = (BigInt(Math.round(price * 1e6)) * tokens * SOL) / 1_000_000n;
  const rest = { pool };
  return pricedTrade({ slot, timeMs, trader, side, baseRaw: tokens * TOKEN, quoteRaw, rest });
}
