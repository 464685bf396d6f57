import { type HotRead, measureHotRead } from './hot-read-load.ts';
import { measureParts } from './hot-read-parts.ts';
import { fixed, integer, printTable } from './table.ts';

const POOLS = [1, 100, 10_000];

/** A hot endpoint compared with a bare node:http server that sends the same bytes. */
export async function benchHotRead(rounds: number): Promise<void> {
  const rows: string[][] = [];
  for (const pools of POOLS) {
    const { bare, kept, made } = await measureHotRead(pools, { rounds, roundMs: 1_500 });
    const row = (name: string, read: HotRead) => [
      integer(pools),
      name,
      integer(read.requestsPerSecond),
      fixed(read.cpuMicrosPerRequest, 1),
      fixed(bare.cpuMicrosPerRequest / read.cpuMicrosPerRequest, 2),
      fixed(read.requestsPerSecond / bare.requestsPerSecond, 2),
    ];
    rows.push(row('bare node:http, same bytes', bare));
    rows.push(row('Mintscope', kept), row('Mintscope, no kept answers', made));
  }
  printTable('GET /v1/indicators/current, 32 connections, a slot each 400 ms', [
    ['pools', 'server', 'requests/s', 'CPU µs', 'of bare by CPU', 'of bare by requests'],
    ...rows,
  ]);
  const parts = await measureParts();
  printTable('Parts of a hot read, each alone', [
    ['part', 'CPU µs'],
    ...parts.map(([name, micros]) => [name, fixed(micros, 2)]),
  ]);
}
