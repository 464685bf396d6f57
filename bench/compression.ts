import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../src/api/server/server.ts';
import type { AsOf } from '../src/model/as-of.ts';
import type { TradePage } from '../src/model/trade.ts';
import type { Signature } from '../src/model/units.ts';
import { buildTrade } from '../tests/support/build-trade.ts';
import { asOfFakeSlot, fakeApiDeps, MINT, READ_KEY } from '../tests/support/fake-api-deps.ts';
import { numberedAddress } from './numbered-addresses.ts';
import { fixed, printTable } from './table.ts';

const SIZES = [20, 100, 500];
const ENCODINGS = ['identity', 'zstd', 'br', 'gzip'];
const READS = 60;
const WARMUPS = 20;

/** Processor time of pages of trades that are in memory, sent as they are and compressed. */
export async function benchCompression(): Promise<void> {
  const rows: string[][] = [];
  for (const size of SIZES) {
    const page = async (): Promise<AsOf<TradePage>> =>
      asOfFakeSlot({
        trades: Array.from({ length: size }, (_, number) =>
          buildTrade({
            wallet: numberedAddress(3, number),
            signature: `${numberedAddress(4, number)}${numberedAddress(5, number)}` as Signature,
          }),
        ),
        next: null,
      });
    const app = createServer(fakeApiDeps({ trades: { page } }), {
      version: '0.0.0',
      rateLimitPerMinute: 100_000_000,
      rateLimitBurst: 1_000_000,
      openOps: false,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    for (const encoding of ENCODINGS) {
      const { cpuMs, bytes } = await measure(
        port,
        `/v1/trades?token_address=${MINT}&limit=500`,
        encoding,
      );
      rows.push([String(size), encoding, fixed(bytes / 1_024, 1), fixed(cpuMs, 2)]);
    }
    await app.close();
  }
  printTable('GET /v1/trades, rows at hand, client included', [
    ['trades', 'accepted', 'KiB sent', 'CPU ms'],
    ...rows,
  ]);
}

async function measure(port: number, path: string, encoding: string) {
  let before = process.cpuUsage();
  let bytes = 0;
  for (let read = -WARMUPS; read < READS; read++) {
    if (read === 0) before = process.cpuUsage();
    bytes = await lengthOf({
      port,
      path,
      headers: { 'x-api-key': READ_KEY, 'accept-encoding': encoding },
    });
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000 / READS, bytes };
}

function lengthOf(options: object): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.once('end', () => resolve(bytes));
    }).once('error', reject);
  });
}
