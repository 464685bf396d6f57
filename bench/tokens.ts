import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_CANDLE_MS } from '../src/model/derived.ts';
import { TOKEN_ORDERS, type TokenQuery } from '../src/model/token-search.ts';
import { asSlot } from '../src/model/units.ts';
import { openStore } from '../src/store/store.ts';
import {
  buildCandle,
  buildChanges,
  buildMinute,
  buildToken,
} from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { fixed, integer, printTable } from './table.ts';

const START_MS = 1_700_000_000_000;
const BATCH_TOKENS = 10_000;
/** One token in this many was traded within the last day, with this many candles. */
const TRADED_EVERY = 20;
const CANDLES = 60;
const READS = 60;

/** Lists tokens in every possible order, and by a search. */
export async function benchTokens(tokens: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const store = await openStore({ dataDir });
  for (let first = 0; first < tokens; first += BATCH_TOKENS) {
    const changes = [changesOf(first, Math.min(BATCH_TOKENS, tokens - first))];
    await store.writer.writeBatch({ slots: [], changes, epoch: 1 });
  }
  store.cursor.write({ epoch: 1, slot: asSlot(tokens), isDirty: false });
  const page = { orderDir: 'desc', offset: 0, limit: 20, nowMs: START_MS + 3_600_000 } as const;
  const queries: readonly (readonly [string, TokenQuery])[] = [
    ...TOKEN_ORDERS.map((orderBy) => [orderBy, { ...page, orderBy, search: null }] as const),
    ['newest, search', { ...page, orderBy: 'newest', search: 'name 77' }],
    ['volume, search', { ...page, orderBy: 'volume_24h_usd', search: 'name 77' }],
  ];
  const rows: string[][] = [];
  for (const [name, query] of queries) {
    const samples: number[] = [];
    for (let read = 0; read < READS; read++) {
      const start = performance.now();
      await store.tokens.page({ ...query, offset: read % 5 });
      samples.push(performance.now() - start);
    }
    samples.sort((one, other) => one - other);
    const at = (share: number) => fixed(samples[Math.floor(READS * share)] ?? Number.NaN, 1);
    rows.push([name, at(0.5), at(0.99)]);
  }
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  printTable(`20 of ${integer(tokens)} tokens, one in ${TRADED_EVERY} traded in the last day`, [
    ['order', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
}

function changesOf(first: number, count: number) {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  const traded = numbers.filter((number) => number % TRADED_EVERY === 0);
  const poolOf = (number: number) => address(`pool ${number}`);
  return buildChanges(first + 1, {
    tokens: numbers.map((number) =>
      buildToken(address(`token ${number}`), {
        name: `name ${number}`,
        symbol: `N${number}`,
        creationSlot: asSlot(number),
        createdAtMs: START_MS + number,
        primaryPool: poolOf(number),
      }),
    ),
    candles: traded.flatMap((number) =>
      Array.from({ length: CANDLES }, (_, index) =>
        buildCandle(address(`token ${number}`), START_MS + index * BASE_CANDLE_MS),
      ),
    ),
    indicators: traded.map((number) =>
      buildMinute(poolOf(number), START_MS, {
        baseMint: address(`token ${number}`),
        totalWallets: number,
      }),
    ),
  });
}
