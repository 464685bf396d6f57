import { csvChunks } from '../src/api/present/export-csv.ts';
import { parquetChunks } from '../src/api/present/export-parquet.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../src/model/export.ts';
import type { Store } from '../src/store/store.ts';
import { withFilledStore } from './filled-store.ts';
import { fixed, integer, printTable } from './table.ts';

const MIB = 1_048_576;
const ROWS_MAX = 1_000_000;

/**
 * Exports all trades of a market in both formats, digest included. Processor time is that of the
 * engine and of the thread that sends; they may overlap in a service.
 */
export async function benchExports(swaps: number, folder: string | null): Promise<void> {
  await withFilledStore(swaps, folder, async (store) => {
    const rows: string[][] = [];
    for (const format of EXPORT_FORMATS) {
      await exportAll(store, format, ROWS_MAX / 10);
      rows.push(await exportAll(store, format, ROWS_MAX));
    }
    printTable(`export of trades, of ${integer(swaps)}`, [
      ['format', 'rows', 'MB', 'rows/s', 'rows/s of one processor', 'memory grew by MiB'],
      ...rows,
    ]);
  });
}

async function exportAll(store: Store, format: ExportFormat, rowsMax: number): Promise<string[]> {
  const query = { kind: 'trades', format, mint: null, authors: null, pool: null } as const;
  const asked = { ...query, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const { slot, data } = await store.exports.begin(asked);
  const { point, columns, empty } = data;
  if (point === null) throw new Error('nothing is stored');
  const start = performance.now();
  const startUsage = process.cpuUsage();
  const startMemory = process.memoryUsage.rss();
  let [rows, bytes, memory] = [0, 0, startMemory];
  const portionAfter = async (after: readonly string[] | null) => {
    const portion = await store.exports.portion({ ...asked, ...point, after });
    rows += portion.rows;
    memory = Math.max(memory, process.memoryUsage.rss());
    return rows < rowsMax ? portion : { ...portion, next: null };
  };
  const file = { request: {}, columns, empty, slot, gaps: [], first: await portionAfter(null) };
  const chunksOf = { csv: csvChunks, parquet: parquetChunks }[format];
  for await (const chunk of chunksOf({ ...file, portionAfter })) bytes += chunk.length;
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(startUsage);
  return [
    ...[format, integer(rows), fixed(bytes / 1e6, 1), integer(rows / seconds)],
    integer(rows / ((user + system) / 1e6)),
    fixed((memory - startMemory) / MIB, 0),
  ];
}
