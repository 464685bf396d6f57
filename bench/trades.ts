import { CurrentTrades } from '../src/ingestion/current-trades.ts';
import { CurrentTradeLabels } from '../src/ingestion/trade-labels.ts';
import { UnwrittenRows } from '../src/ingestion/unwritten-rows.ts';
import type { TradeQuery } from '../src/model/trade.ts';
import { asUsdNano } from '../src/model/units.ts';
import type { Store } from '../src/store/store.ts';
import { type FilledMarket, withFilledStore } from './filled-store.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer, printTable } from './table.ts';

const READS = 300;
const WARM_READS = 20;

/** Reads pages of trades from a store of so many swaps. */
export async function benchTrades(swaps: number, folder: string | null): Promise<void> {
  await withFilledStore(swaps, folder, async (store, market) => {
    const rows: string[][] = [];
    for (const [name, query] of queriesOf(market)) rows.push(await readPages(store, name, query));
    printTable(`a page of 100 trades of ${integer(swaps)}, with their labels`, [
      ['trades', 'mean found', 'p50 ms', 'p99 ms', 'CPU ms'],
      ...rows,
    ]);
  });
}

type QueryOf = (read: number) => TradeQuery;

const ANY = {
  mint: null,
  pool: null,
  wallet: null,
  fromMs: null,
  toMs: null,
  side: null,
  valueUsdMin: null,
  class: 'all',
  view: 'all',
  before: null,
  limit: 100,
} as const satisfies TradeQuery;

/** Keys are drawn by trade weight, as requests are. */
function queriesOf(market: FilledMarket): [string, QueryOf][] {
  const { drawToken: token, drawPool: pool, drawWallet: wallet, startMs, endMs } = market;
  const middleMs = (startMs + endMs) / 2;
  return [
    ['of a token', () => ({ ...ANY, mint: token() })],
    ['of the most traded token', () => ({ ...ANY, mint: itemAt(market.tokens, 0) })],
    ['of a pool', () => ({ ...ANY, pool: pool() })],
    ['of a wallet', () => ({ ...ANY, wallet: wallet() })],
    ['of a token, before the middle', () => ({ ...ANY, mint: token(), toMs: middleMs })],
    [
      'of a token, organic sales',
      () => ({ ...ANY, mint: token(), side: 'sell', class: 'organic' }),
    ],
    ['of a token, from 900 dollars', () => ({ ...ANY, mint: token(), valueUsdMin: LARGE })],
    ['of a token, as users see them', () => ({ ...ANY, mint: token(), view: 'user' })],
    ['of a wallet, as users see them', () => ({ ...ANY, wallet: wallet(), view: 'user' })],
  ];
}

const LARGE = asUsdNano(900n * 10n ** 9n);

async function readPages(store: Store, name: string, queryOf: QueryOf): Promise<string[]> {
  const unwritten = new UnwrittenRows(() => []);
  const labels = new CurrentTradeLabels(store.tradeLabels, unwritten, () => null);
  const trades = new CurrentTrades({ stored: store.trades, unwritten, labels, finalSlot: -1 });
  const samples: number[] = [];
  let found = 0;
  let usage = process.cpuUsage();
  for (let read = -WARM_READS; read < READS; read++) {
    if (read === 0) usage = process.cpuUsage();
    const start = performance.now();
    const page = await trades.page(queryOf(read));
    if (read < 0) continue;
    samples.push(performance.now() - start);
    found += page.trades.length;
  }
  const { user, system } = process.cpuUsage(usage);
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.floor(samples.length * share)] ?? Number.NaN, 1);
  return [
    name,
    fixed(found / READS, 0),
    at(0.5),
    at(0.99),
    fixed((user + system) / 1_000 / READS, 1),
  ];
}
