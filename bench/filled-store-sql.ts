import { rowVersion } from '../src/store/sql/row-version.ts';

const EPOCH = 1;
/** The version of a row that its slot wrote. */
const VERSION = `toUInt64(${rowVersion(EPOCH, 0)}) + slot`;

/** Swaps, before they are copied to the tables of swaps and summed to candles. */
export const MAKE_CHUNK = `
CREATE TABLE bench_chunk (
  time_ms Int64, slot UInt64, tx_index UInt32, signature String, base_mint String, pool String,
  trader String, side Enum8('buy' = 1, 'sell' = 2), is_organic Bool, base_raw Int128,
  quote_raw Int128, price Int256, price_usd Int256, value_usd Int128
) ENGINE = MergeTree ORDER BY time_ms`;

const uniform = (salt: number) => `cityHash64(number, ${salt}) / 18446744073709551616.`;
const zipf = (count: string, salt: number) =>
  `toUInt32(floor(pow({${count}:UInt32}, ${uniform(salt)})) - 1)`;

/** The n-th token and wallet have a share of about 1/n of the trades. */
export const FILL_CHUNK = `
INSERT INTO bench_chunk
WITH ${zipf('tokens', 1)} AS token, ${zipf('wallets', 2)} AS wallet,
  token % 3 = 0 AND ${uniform(3)} < 0.2 AS is_second,
  toUInt64(1 + intDiv(number * {slots:UInt64}, {swaps:UInt64})) AS made_slot,
  toInt128(1 + cityHash64(number, 4) % 1000) * 1000000000 AS value,
  toInt256(80000000000000 + cityHash64(number, 5) % 1000000000000) AS usd
SELECT {startMs:Int64} + (made_slot - 1) * {slotMs:Int64}, made_slot, number % 2000,
  substring(replaceAll(hex(SHA512(toString(number))), '0', 'z'), 1, 88),
  joinGet('bench_tokens', 'a', token), joinGet('bench_pools', 'a', toUInt32(token * 2 + is_second)),
  joinGet('bench_wallets', 'a', wallet), if(${uniform(6)} < 0.5, 'buy', 'sell'),
  ${uniform(7)} < 0.4, value * 12, intDiv(value, 200), intDiv(usd, 200), usd, value
FROM numbers({from:UInt64}, {to:UInt64} - {from:UInt64})`;

const COMMON = `time_ms, slot, tx_index, 0 AS outer_ix, -1 AS inner_ix, signature,
  'pump_amm' AS venue, base_mint, 'So11111111111111111111111111111111111111112' AS quote_mint,
  6 AS base_decimals, 9 AS quote_decimals, side,
  if(side = 'buy', -base_raw, base_raw) AS pool_base_delta,
  if(side = 'buy', quote_raw, -quote_raw) AS pool_quote_delta,
  price_usd, value_usd, is_organic, if(is_organic, 'organic', 'bot') AS wallet_class, pool`;
const COMMON_NAMES = `time_ms, slot, tx_index, outer_ix, inner_ix, signature, venue, base_mint,
  quote_mint, base_decimals, quote_decimals, side, pool_base_delta, pool_quote_delta, price_usd,
  value_usd, is_organic, wallet_class, pool`;

/** The chunk in the three orders of swaps. */
export function fillTrades(): string[] {
  const own = {
    swaps: [
      'trader, trader_base_delta, trader_quote_delta, price, sets_token_price',
      'trader, base_raw, -quote_raw, price, true',
    ],
    swaps_by_token: ['trader', 'trader'],
    swaps_by_wallet: ['wallet, base_raw, quote_raw', 'trader, base_raw, -quote_raw'],
  };
  return Object.entries(own).map(
    ([table, [names, values]]) =>
      `INSERT INTO ${table} (epoch, version, ${COMMON_NAMES}, ${names})
SELECT ${EPOCH}, ${VERSION}, ${COMMON}, ${values} FROM bench_chunk`,
  );
}

const candlesOf = (scope: string) => `
INSERT INTO candles (epoch, version, scope, open_time_ms, quote_open, quote_high, quote_low,
  quote_close, usd_open, usd_high, usd_low, usd_close, base_volume_raw, quote_volume_raw, volume_usd,
  priced_base_volume_raw, base_decimals, trades, buys, sells, supply_raw, is_final, slot,
  pricing_base_raw, pricing_usd)
SELECT ${EPOCH}, max(${VERSION}), ${scope}, intDiv(time_ms, 30000) * 30000 AS open,
  argMin(price, time_ms), max(price), min(price), argMax(price, time_ms),
  argMin(price_usd, time_ms), max(price_usd), min(price_usd), argMax(price_usd, time_ms),
  sum(base_raw), sum(quote_raw), sum(value_usd), sum(base_raw), 6, count(), countIf(side = 'buy'),
  countIf(side = 'sell'), 1000000000000000, true, max(slot), sum(base_raw), sum(value_usd)
FROM bench_chunk GROUP BY ${scope}, open`;

/** Candles of the chunk, by pool and by token. */
export const FILL_CANDLES = [candlesOf('pool'), candlesOf('base_mint')];
