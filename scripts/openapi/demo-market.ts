import { setTimeout as delay } from 'node:timers/promises';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { SimulatedWeb } from '../../simulator/faces/web/simulated-web.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { apiInThread } from '../../tests/support/api-in-thread.ts';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { finalSlots, openMarketService } from '../../tests/support/market-ingestion.ts';
import { gatherOffchain } from './gather-offchain.ts';

/** Enough for findings, and for a token that left its curve and of which people have posted since. */
const SLOTS = 700;
/** All is stored before the next ones are applied, so that checkpoints depend on slots alone. */
const SLOTS_AT_ONCE = 10;
const KEY = 'openapi-examples-key';
const POLL_MS = 20;

/** An answer of the demo market. */
export interface DemoAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

export interface DemoMarket {
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<DemoAnswer>;
  /** Serves the market on a free port of this machine, for the key. */
  listen(): Promise<{ readonly origin: string; readonly key: string }>;
  close(): Promise<void>;
}

/**
 * The API over the market of `npm start`, a fixed number of slots after its beginning, with its posts
 * and the documents of its tokens. Every answer that is a function of the market is the same in each
 * run. `atTime` is called with the time of the newest slot before anything reads the time of day, and
 * has to set it.
 */
export async function openDemoMarket(atTime: (timeMs: number) => void): Promise<DemoMarket> {
  const simulation = createSimulation(PRESETS.demo);
  const slots = canonicalSlots(simulation);
  atTime(simulation.world.nowMs);
  const dataDir = temporaryFolder();
  const service = await openMarketService(dataDir);
  const web = new SimulatedWeb((uri) => simulation.tokenAt(uri));
  await gatherOffchain(
    { service, dataDir, simulation, webOrigin: await web.listen() },
    async () => {
      for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
        await service.ingestion.ingest(finalSlots(slots.slice(at, at + SLOTS_AT_ONCE)));
      }
    },
  );
  await web.close();
  service.store.keys.installBootstrap(KEY);
  const app = await apiInThread(service, { dataDir });
  const ask: DemoMarket['ask'] = async (method, url, body) => {
    const headers = { 'x-api-key': KEY };
    const payload = body === undefined ? {} : { payload: body as object };
    const answer = await app.inject({ method, url, headers, ...payload });
    const mediaType = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    return { status: answer.statusCode, mediaType, text: answer.body };
  };
  // The windows of the last day are computed after the start.
  while ((await ask('GET', '/v1/pools')).status === 503) await delay(POLL_MS);
  return {
    ask,
    listen: async () => ({ origin: await app.listen({ port: 0, host: '127.0.0.1' }), key: KEY }),
    close: async () => {
      await app.close();
      await service.close();
    },
  };
}

function canonicalSlots(simulation: Simulation): readonly SlotFacts[] {
  const slots: SlotFacts[] = [];
  for (let passed = 0; passed < SLOTS; passed++) {
    const step = simulation.step();
    if (step?.isCanonical) slots.push(decodeBlock(toChainBlock(step.block)));
  }
  return slots;
}
