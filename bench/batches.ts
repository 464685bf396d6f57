import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../src/api/server/server.ts';
import { createLiveReads } from '../src/bridge/live-reads.ts';
import type { LiveRow } from '../src/bridge/live-rows.ts';
import { LIVE_LIMITS, LiveView } from '../src/bridge/live-view.ts';
import { packHolders } from '../src/bridge/packed-holders.ts';
import { RemoteCalls } from '../src/bridge/remote-calls.ts';
import { NO_WIDER_FIGURES } from '../src/model/pool-figures.ts';
import { type Address, asPriceE18, asRawAmount, asUsdNano } from '../src/model/units.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeIndicators,
  fakePool,
  fakeToken,
  fakeWallet,
  fakeWindows,
  READ_KEY,
  SLOT,
  SLOT_TIME_MS,
} from '../tests/support/fake-api-deps.ts';
import { numberedAddress } from './numbered-addresses.ts';
import { fixed, printTable } from './table.ts';

const BATCH = 100;
const HOLDERS = 100;
const READS = 400;
const WARMUPS = 100;
const NAMES = ['prices', 'tokens', 'pools', 'indicators', 'wallets', 'fraud'] as const;

const LISTED = {
  priceUsd: asPriceE18(82_155_978_000_000n),
  liquidityUsd: asUsdNano(33_996_140_000_000n),
};
const UNLISTED = {
  windows: fakeWindows(),
  marketCapUsd: null,
  isPrimary: true,
  wider: NO_WIDER_FIGURES,
};

/**
 * Batches of a hundred addresses over HTTP, one at a time: rows are in the memory of the API, tokens
 * with a hundred holders each; pools, wallets and findings are empty ones at hand, because the other thread reads them.
 */
export async function benchBatches(): Promise<void> {
  const addresses = Array.from({ length: BATCH }, (_, number) => numberedAddress(1, number));
  const view = new LiveView(LIVE_LIMITS, () => undefined);
  view.keep({ watchId: 1, rows: addresses.flatMap((one) => rowsOf(one, addresses)) });
  const calls = new RemoteCalls(
    { openMax: 1, openPerAccountMax: 1, waitMs: 1_000, pastWaitMs: 1_000 },
    () => undefined,
  );
  const { batches } = createLiveReads(view, calls);
  const wallets = async (all: readonly Address[]) =>
    asOfFakeSlot(all.map((address) => fakeWallet({ address })));
  const pools = async (all: readonly Address[]) =>
    asOfFakeSlot(all.map((pool) => ({ pool: fakePool({ pool, ...LISTED }), ...UNLISTED })));
  const fraudChecks = async (mints: readonly Address[]) => asOfFakeSlot(mints.map(() => []));
  const app = createServer(fakeApiDeps({ batches: { ...batches, pools, wallets, fraudChecks } }), {
    version: '0.0.0',
    rateLimitPerMinute: 100_000_000,
    rateLimitBurst: 1_000_000,
    openOps: false,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const body = JSON.stringify({ addresses });
  const rows: string[][] = [];
  for (const name of NAMES) {
    const samples: number[] = [];
    let bytes = 0;
    for (let read = -WARMUPS; read < READS; read++) {
      const startMs = performance.now();
      bytes = await post(port, `/v1/batch/${name}`, body);
      if (read >= 0) samples.push(performance.now() - startMs);
    }
    samples.sort((one, other) => one - other);
    const at = (share: number) => fixed(samples[Math.floor(READS * share)] ?? Number.NaN, 2);
    rows.push([name, fixed(bytes / 1_024, 0), at(0.5), at(0.99)]);
  }
  await app.close();
  printTable(`POST /v1/batch, ${BATCH} addresses`, [
    ['endpoint', 'KiB', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
}

function rowsOf(address: Address, owners: readonly Address[]): LiveRow[] {
  const price = { priceUsd: asPriceE18(82_155_978_000_000n) };
  const supply = { supplyRaw: asRawAmount(10n ** 15n), decimals: 6, primaryPool: address };
  const holders = owners.slice(0, HOLDERS).map((owner, index) => ({
    mint: address,
    owner,
    isPool: index === 0,
    firstSeenMs: SLOT_TIME_MS,
    slot: SLOT,
    balanceRaw: asRawAmount(BigInt(10 ** 9 - index * 1_234_567)),
  }));
  const pool = fakePool({
    pool: address,
    baseMint: address,
    ...price,
    liquidityUsd: asUsdNano(33_996_140_000_000n),
  });
  return [
    { kind: 'token', address, value: fakeToken({ mint: address, ...supply, ...price }) },
    { kind: 'holders', address, value: packHolders(address, holders) },
    { kind: 'pool', address, value: pool },
    { kind: 'indicators', address, value: fakeIndicators({ pool: address, ...price }) },
  ];
}

/** Sends a batch and reads the whole answer; returns its bytes. Throws for any other than 200. */
function post(port: number, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': READ_KEY, 'content-type': 'application/json' };
    const sent = httpRequest(
      { host: '127.0.0.1', port, path, method: 'POST', headers },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(bytes);
          else reject(new Error(`${path}: ${answer.statusCode}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
