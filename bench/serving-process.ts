/**
 * The service that `serving.ts` queries. Argument: `one` or `two` threads. Folds blocks of a
 * simulated market as fast as it can until there is data to read, reports its address and pools,
 * then folds five blocks a second to the end, and reports the duration of each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toChainBlock } from '../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../simulator/simulation.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import { ApiThread } from '../src/bridge/api-thread.ts';
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import type { ChainBlock, ChainTransaction } from '../src/model/transaction.ts';
import { openService } from '../src/service/app.ts';
import { apiInThread } from '../tests/support/api-in-thread.ts';

const KEY = 'serving-bench-key';
const WARM_BLOCKS = 15;
const PACED_BLOCKS = 50;
const BLOCK_MS = 200;
const BLOCK_TRANSACTIONS = 600;
const ASKED_POOLS = 50;

const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent', solUsdFallback: '150' });
const service = await openService(config);
service.store.keys.installBootstrap(KEY);

const simulation = createSimulation({ ...PRESETS.busy, forkRate: 0 });
const blocks = Array.from({ length: WARM_BLOCKS + PACED_BLOCKS }, nextBlock);

/** One block with the transactions of as many slots of the market as fill it. */
function nextBlock(): ChainBlock {
  const transactions: ChainTransaction[] = [];
  for (;;) {
    const step = simulation.step();
    if (step === null) continue;
    const block = toChainBlock(step.block);
    for (const each of block.transactions) {
      transactions.push({ ...each, txIndex: transactions.length });
    }
    if (transactions.length >= BLOCK_TRANSACTIONS) return { ...block, transactions };
  }
}

/** Time from the delivery of a block to the request for the next one. */
const busyMs: number[] = [];

async function* feed(paced: readonly ChainBlock[], everyMs: number): AsyncGenerator<SourceItem> {
  const startMs = performance.now();
  for (const [index, block] of paced.entries()) {
    await delay(Math.max(0, startMs + index * everyMs - performance.now()));
    const beganMs = performance.now();
    yield { kind: 'block', block };
    busyMs.push(performance.now() - beganMs);
  }
}

async function ingest(given: readonly ChainBlock[], everyMs: number): Promise<void> {
  const items = feed(given, everyMs);
  const source = { areBlocksFinal: true, [Symbol.asyncIterator]: () => items };
  await service.ingestion.ingest(source, { writeAfterMs: 300 });
}

async function listen(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const limits = { rateLimitPerMinute: 9_999_999, rateLimitBurst: 999_999, openOps: false };
  const settings = { ...limits, host: '127.0.0.1', port: 0, dataDir, simulation: null };
  if (process.argv[2] === 'two') {
    const api = await ApiThread.start(service, {
      settings: { ...settings, logLevel: 'silent' },
      lagMaxMs: 60_000,
    });
    return { port: api.port, close: () => api.close(1_000) };
  }
  const app = await apiInThread(service, settings);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, close: () => app.close() };
}

await ingest(blocks.slice(0, WARM_BLOCKS), 0);
const api = await listen();
const traded = [...simulation.truth.pools]
  .sort(([, one], [, other]) => other.buys - one.buys)
  .map(([pool]) => service.ingestion.engine.pool(pool))
  .filter((pool) => pool !== null)
  .slice(0, ASKED_POOLS);
process.send?.({
  port: api.port,
  key: KEY,
  pools: traded.map(({ pool }) => pool),
  mints: traded.map(({ baseMint }) => baseMint),
});
await new Promise((resolve) => process.once('message', resolve));
busyMs.length = 0;
const paced = blocks.slice(WARM_BLOCKS);
await ingest(paced, BLOCK_MS);
const transactions = paced.reduce((sum, block) => sum + block.transactions.length, 0);
process.send?.({ blocks: paced.length, transactions, busyMs });
await api.close();
await service.close();
rmSync(dataDir, { recursive: true, force: true });
process.disconnect?.();
