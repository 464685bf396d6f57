/** Writes the trades of a span as Parquet: node backfill-parquet.ts <from> <to> <file> */
import { rename, writeFile } from 'node:fs/promises';
import { MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [from = '', to = '', file = 'trades.parquet'] = process.argv.slice(2);
const bytes = await client.download('/v1/export/trades.parquet', { query: { from, to } });
// A file that was cut off fails here, and leaves nothing under its name.
await writeFile(`${file}.part`, bytes);
await rename(`${file}.part`, file);
console.log(`wrote ${file}`);
