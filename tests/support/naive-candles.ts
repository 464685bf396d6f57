import { formatDollars, type HttpTrade } from './http-trades.ts';

/** A candle as the API returns it. */
export interface WireCandle {
  readonly timestamp: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string | null;
  readonly vwap: string;
}

const E18 = 18;
const NANO = 9;

/**
 * Candles of the trades of one pool, or of a token with one pool, oldest first: each field anew from
 * the trades of its bucket. Without a trade that may set a price, a candle is flat at the last close;
 * before the first price there is none.
 */
export function naiveCandles(trades: readonly HttpTrade[], intervalMs: number): WireCandle[] {
  const counted = trades.filter(({ exclusion }) => exclusion !== 'quarantined');
  const buckets = Map.groupBy(counted, ({ timeMs }) => timeMs - (timeMs % intervalMs));
  let last: bigint | null = null;
  return [...buckets].flatMap(([openMs, own]) => {
    const prices = pricing(own).map(({ priceUsd }) => priceUsd);
    const range = prices.length > 0 || last === null ? prices : [last];
    const [open] = range;
    const close = range.at(-1);
    if (open === undefined || close === undefined) return [];
    last = close;
    const [high, low] = [largest(range), -largest(range.map((price) => -price))];
    return [
      {
        timestamp: new Date(openMs).toISOString(),
        ...{ open: trimmed(open), high: trimmed(high), low: trimmed(low), close: trimmed(close) },
        volume: formatDollars(volumeOf(own)),
        vwap: trimmed(vwapOf(own, { low, high, close })),
      },
    ];
  });
}

/** The raw sums of a candle of an export, as its cells. */
export function naiveSums(trades: readonly HttpTrade[], isPool: boolean) {
  const counted = trades.filter(({ exclusion }) => exclusion !== 'quarantined');
  const valued = counted.filter(({ valueUsd }) => valueUsd !== null);
  const setting = pricing(counted);
  return {
    trades: String(counted.length),
    buys: String(counted.filter(({ side }) => side === 'buy').length),
    sells: String(counted.filter(({ side }) => side === 'sell').length),
    token_volume_raw: String(baseOf(counted)),
    // Amounts of the quotes of several pools cannot be added.
    quote_volume_raw: isPool ? String(sum(counted.map(({ quoteRaw }) => quoteRaw))) : '0',
    volume_usd_nano: String(usdOf(valued)),
    priced_token_volume_raw: String(baseOf(valued)),
    price_setting_token_volume_raw: String(baseOf(setting)),
    price_setting_volume_usd_nano: String(usdOf(setting)),
  };
}

type PricedTrade = HttpTrade & { readonly priceUsd: bigint };

function pricing(trades: readonly HttpTrade[]): readonly PricedTrade[] {
  return trades.filter(
    (trade): trade is PricedTrade => trade.exclusion === null && trade.priceUsd !== null,
  );
}

/** Null while less than nine tenths of the tokens were traded at a known value. */
function volumeOf(trades: readonly HttpTrade[]): bigint | null {
  const valued = trades.filter(({ valueUsd }) => valueUsd !== null);
  return baseOf(valued) * 10n >= baseOf(trades) * 9n ? usdOf(valued) : null;
}

interface Range {
  readonly low: bigint;
  readonly high: bigint;
  readonly close: bigint;
}

/** Within the range, which rounded values of tiny trades may leave. */
function vwapOf(trades: readonly HttpTrade[], { low, high, close }: Range): bigint {
  const setting = pricing(trades);
  const base = baseOf(setting);
  if (base === 0n) return close;
  const scale = 10n ** BigInt((setting[0]?.baseDecimals ?? 0) + E18 - NANO);
  const exact = (2n * usdOf(setting) * scale + base) / (2n * base);
  if (exact < low) return low;
  return exact > high ? high : exact;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
const baseOf = (trades: readonly HttpTrade[]) => sum(trades.map(({ baseRaw }) => baseRaw));
const usdOf = (trades: readonly HttpTrade[]) => sum(trades.map(({ valueUsd }) => valueUsd ?? 0n));
const largest = (values: readonly bigint[]) =>
  values.reduce((most, one) => {
    if (one > most) return one;
    return most;
  });

/** A price without the zeros at its end. */
export function trimmed(price: bigint): string {
  const digits = String(price).padStart(E18 + 1, '0');
  const fraction = digits.slice(-E18).replace(/0+$/, '');
  const whole = digits.slice(0, -E18);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
