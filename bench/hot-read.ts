import { measureHotRead } from '../src/api/hot-read.bench.ts';
import { fixed, integer, printTable } from './table.ts';

/** A hot endpoint compared with a bare node:http server that sends the same bytes. */
export async function benchHotRead(): Promise<void> {
  const { api, bare } = await measureHotRead({ rounds: 5, roundMs: 2_000 });
  const row = (name: string, read: typeof api) => [
    name,
    integer(read.requestsPerSecond),
    fixed(read.cpuMicrosPerRequest, 1),
    fixed(read.requestsPerSecond / bare.requestsPerSecond, 2),
  ];
  printTable('GET /v1/indicators/current, 32 connections', [
    ['server', 'requests/s', 'CPU µs/request', '× bare'],
    row('bare node:http, same bytes', bare),
    row('Mintscope', api),
  ]);
}
