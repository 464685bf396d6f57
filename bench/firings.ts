import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiThread } from '../src/bridge/api-thread.ts';
import { readBlock } from '../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import { asSlot } from '../src/model/units.ts';
import { openService, type Service } from '../src/service/app.ts';
import { address } from '../tests/support/build-transaction.ts';
import { temporaryFolder } from '../tests/support/command-line.ts';
import { itemSource } from '../tests/support/item-source.ts';
import { marketBlocks } from '../tests/support/market-blocks.ts';
import type { Arrival } from './firing-client.ts';
import { fixed, integer, printTable } from './table.ts';

const KEY = 'firings-bench-secret';
const POOL = address('cat-sol');
const FIRST_SLOT = 1_000;
const FIRINGS = 1_000;
const SLOT_MS = 20;
const FINAL_BEHIND = 16;

/**
 * From a slot applied on the engine's thread to its firing at a WebSocket client in another
 * process: the firing is stored, passed to the API's thread and sent.
 */
export async function benchFirings(): Promise<void> {
  const dataDir = temporaryFolder();
  const service = await openService(readConfig({}, { dataDir, port: '0', logLevel: 'silent' }));
  service.store.keys.installBootstrap(KEY);
  const limits = { rateLimitPerMinute: 1_000_000, rateLimitBurst: 100_000 };
  const place = { dataDir, host: '127.0.0.1', port: 0, openOps: false, simulation: null };
  const api = await ApiThread.start(service, {
    settings: { ...limits, ...place, logLevel: 'silent' },
    lagMaxMs: 60_000,
  });
  const script = new URL('./firing-client.ts', import.meta.url);
  const client = fork(script, [String(api.port), KEY, String(FIRINGS)]);
  try {
    await addTriggers(api.port);
    await once(client, 'message');
    const latencies = await measure(service, client);
    const at = (share: number) => fixed(latencies[Math.floor(latencies.length * share)] ?? 0, 2);
    printTable(`${integer(FIRINGS)} firings, slot applied to message at the client`, [
      ['measure', 'ms'],
      ['p50', at(0.5)],
      ['p99', at(0.99)],
      ['most', fixed(latencies.at(-1) ?? 0, 2)],
    ]);
  } finally {
    client.kill();
    await api.close(1_000);
    await service.close();
  }
}

/** Each purchase makes one of the triggers true. */
async function addTriggers(port: number): Promise<void> {
  for (let bought = 0; bought < FIRINGS; bought++) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/triggers/add`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        trigger_id: `more than ${bought}`,
        pair_address: POOL,
        conditions: [{ field: 'number_of_buys', operator: 'gt', value: String(bought) }],
      }),
    });
    if (answer.status !== 201) throw new Error(`adding a trigger was answered ${answer.status}`);
    await answer.arrayBuffer();
  }
}

/** Ascending. */
async function measure(service: Service, client: ChildProcess): Promise<number[]> {
  const { engine } = service.ingestion;
  const appliedMs = new Map<number, number>();
  const apply = engine.apply.bind(engine);
  engine.apply = (facts, options) => {
    const changes = apply(facts, options);
    appliedMs.set(changes.slot, performance.timeOrigin + performance.now());
    return changes;
  };
  const arrived = once(client, 'message');
  const stopping = new AbortController();
  const { signal } = stopping;
  const ingested = service.ingestion.ingest(itemSource(chain(signal), false), { signal });
  const [arrivals] = (await arrived) as [readonly Arrival[]];
  stopping.abort();
  await ingested;
  return arrivals
    .map(({ slot, atMs }) => atMs - (appliedMs.get(slot) ?? Number.NaN))
    .sort((one, other) => one - other);
}

async function* chain(signal: AbortSignal): AsyncGenerator<SourceItem> {
  for (const value of marketBlocks(3 * FIRINGS, FIRST_SLOT)) {
    if (signal.aborted) return;
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    yield { kind: 'block', block: reading.value };
    yield { kind: 'final', slot: asSlot(reading.value.slot - FINAL_BEHIND) };
    await delay(SLOT_MS);
  }
}
