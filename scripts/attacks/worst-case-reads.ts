import type { Attack } from './attack.ts';
import { type HttpAsk, keepAsking } from './http-load.ts';

const PARALLEL = 100;
const SECONDS_OF_CANDLES = 9_990;

/** A hundred of the most expensive reads at a time, of one account. */
export const worstCaseReads: Attack = {
  name: 'worst-case-reads',
  summary: `${PARALLEL} reads of one account at a time: filled candles, token search, holders, figures of minutes, posts.`,
  async run(target, tally, signal) {
    await keepAsking(target, PARALLEL, (count) => askOf(target.pools, count), tally, signal);
  },
};

function askOf(
  pools: readonly { readonly mint: string; readonly pool: string }[],
  count: number,
): HttpAsk {
  const { mint = '', pool = '' } = pools[count % Math.max(1, pools.length)] ?? {};
  const at = (secondsAgo: number) =>
    encodeURIComponent(new Date(Date.now() - secondsAgo * 1_000).toISOString());
  const start = at(SECONDS_OF_CANDLES);
  const range = `from=${start}&to=${at(0)}`;
  const paths = [
    `/v1/market/ohlc?token_address=${mint}&interval=1s&fill=previous&metric=marketcap_usd&view=organic&start=${start}`,
    '/v1/tokens?search=a&order_by=volume_24h_usd&per_page=100&page=2',
    '/v1/tokens?search=e&order_by=organic_volume_usd&per_page=100&page=1000',
    `/v1/token/${mint}/holders?limit=1000`,
    `/v1/indicators/historic?pair_address=${pool}&interval=1m&${range}`,
    `/v1/market/bundled-transactions?token_address=${mint}&per_page=100&order_by=solana_amount`,
    `/v1/signals/statistics?from_date=${start}`,
    `/v1/signals?from_date=${start}`,
  ];
  return { path: paths[count % paths.length] ?? '/v1/tokens' };
}
