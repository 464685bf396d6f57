/**
 * The service that `restart.ts` starts and kills. Arguments: the mode, the data folder, the number
 * of swaps. `build` stores slots with this many swaps, like recordings. `follow` continues with
 * more like a followed chain, until it is killed. `digest` opens the folder and prints the state.
 * `state` leaves the same as `build` without the rows. `read` only reads the newest snapshot. Each
 * prints its progress as lines of JSON.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import { Engine } from '../src/engine/engine.ts';
import { EngineSnapshots } from '../src/ingestion/engine-snapshots.ts';
import { TAIL_SLOTS_MAX } from '../src/ingestion/fold.ts';
import { SHADOW_EVERY_SLOTS } from '../src/ingestion/fold-snapshots.ts';
import { Ingestion } from '../src/ingestion/ingestion.ts';
import type { IngestionHooks, IngestionSource } from '../src/ingestion/ingestion-run.ts';
import type { IngestionStore } from '../src/ingestion/ingestion-store.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { openService, type Service } from '../src/service/app.ts';
import { Snapshots } from '../src/store/snapshots/snapshots.ts';
import { FIRST_SLOT, TradedSlots } from './traded-slots.ts';

const [task = '', dataDir = '', swaps = '0'] = process.argv.slice(2);
const TAIL_SLOTS = 32;
const TOLD_EVERY = 1_000;
/** The chain's pace, at which a snapshot is written, and a faster one for the slots in between. */
const CHAIN_SLOT_MS = 200;
const HURRIED_SLOT_MS = 25;

const config = readConfig({}, { dataDir, solUsdFallback: '150' });
const market = new TradedSlots(Number(swaps));
const say = (report: object) => process.stdout.write(`${JSON.stringify(report)}\n`);
const hooks: IngestionHooks = {
  onSnapshotProblem: (sentence) => say({ problem: sentence }),
};

async function* built(): AsyncGenerator<SourceItem> {
  let count = 0;
  for (const facts of market) {
    if (count++ === market.slots) return;
    if (count % TOLD_EVERY === 0) say({ slots: count, ...memory() });
    yield { kind: 'facts', facts };
  }
}

/** The slots after the stored ones; each is final when this many have followed. */
async function* followed({ ingestion, store }: Service): AsyncGenerator<SourceItem> {
  const before = store.snapshots.names()[0];
  const slotMs = (count: number) => {
    const isKeeping = count > SHADOW_EVERY_SLOTS && store.snapshots.names()[0] === before;
    return isKeeping ? CHAIN_SLOT_MS : HURRIED_SLOT_MS;
  };
  let count = 0;
  const stored = ingestion.status.finalSlot ?? FIRST_SLOT;
  const open: SlotFacts[] = [];
  let waited = performance.now();
  for (const facts of market) {
    if (facts.slot <= stored) continue;
    yield { kind: 'facts', facts };
    open.push(facts);
    const final = open.length > TAIL_SLOTS ? open.shift() : undefined;
    if (final !== undefined) yield { kind: 'final', slot: final.slot };
    await delay(Math.max(0, slotMs(++count) - (performance.now() - waited)));
    waited = performance.now();
    say({ slot: facts.slot, ...memory() });
  }
}

function memory(): { readonly rssMib: number } {
  return { rssMib: Math.round(process.memoryUsage.rss() / 2 ** 20) };
}

function sourceOf(items: AsyncGenerator<SourceItem>, areBlocksFinal: boolean): IngestionSource {
  return { areBlocksFinal, [Symbol.asyncIterator]: () => items };
}

/**
 * The store without the rows that a start does not read: those derived by the fold, and the log
 * before its last slots.
 */
function sparing(store: Service['store'], fromSlot: number): IngestionStore {
  return {
    ...store,
    writer: {
      writeRestored: async () => undefined,
      writeBatch: async ({ slots, epoch }) => {
        const kept = slots.filter(({ slot }) => slot >= fromSlot);
        await store.writer.writeBatch({ slots: kept, changes: [], epoch });
      },
    },
  };
}

/** The state of this many swaps, as `build` leaves it, without writing all their rows. */
async function buildState({ store }: Service): Promise<void> {
  const rules = store.cursor.readRules() ?? '';
  const options = { fallbackSolUsd: config.solUsdFallback, undoSlotsMax: TAIL_SLOTS_MAX };
  const { snapshots, log } = store;
  const ingestion = await Ingestion.open({
    store: sparing(store, FIRST_SLOT + market.slots - TOLD_EVERY),
    createEngine: (chunks) => new Engine(options, chunks),
    rules,
    snapshots: null,
  });
  await ingestion.ingest(sourceOf(built(), true), hooks);
  const startMs = performance.now();
  await new EngineSnapshots({ snapshots, log, rules }).save(ingestion.engine, 1, 0);
  say({ savedMs: performance.now() - startMs, ...memory() });
}

/** Restores only the newest snapshot into an engine. */
function readAlone(): void {
  const snapshots = new Snapshots(join(dataDir, 'snapshots'));
  const [name = ''] = snapshots.names();
  const startMs = performance.now();
  const options = { fallbackSolUsd: config.solUsdFallback };
  const { lastSlot } = new Engine(options, snapshots.open(name).chunks);
  say({ readMs: performance.now() - startMs, lastSlot: lastSlot ?? 0, ...memory() });
}

async function runService(): Promise<void> {
  const startMs = performance.now();
  let folded = 0;
  const service = await openService(config, { ...hooks, onFold: () => folded++ });
  say({ openedMs: performance.now() - startMs, folded, ...memory() });
  if (task === 'build') await service.ingestion.ingest(sourceOf(built(), true), hooks);
  else if (task === 'state') await buildState(service);
  else if (task === 'follow') {
    await service.ingestion.ingest(sourceOf(followed(service), false), {
      ...hooks,
      writeAfterMs: 300,
    });
  } else {
    const { engine } = service.ingestion;
    say({ digest: engine.digest(), lastSlot: engine.lastSlot, size: engine.stateSize });
  }
  await service.close();
}

if (task === 'read') readAlone();
else await runService();
say({ closed: true });
