import { setTimeout as delay } from 'node:timers/promises';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { EngineSnapshots } from '../../src/ingestion/engine-snapshots.ts';
import { Ingestion } from '../../src/ingestion/ingestion.ts';
import type { IngestionHooks, IngestionSource } from '../../src/ingestion/ingestion-run.ts';
import type { IngestionStore } from '../../src/ingestion/ingestion-store.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { Snapshots } from '../../src/store/snapshots/snapshots.ts';
import { openStore } from '../../src/store/store.ts';
import { itemSource } from './item-source.ts';
import { marketBlocks } from './market-blocks.ts';
import { fallbackSolUsd } from './master-fixture.ts';

const SLOTS = 3_000;
/** Slots that may still be reverted, at every moment. */
const LAG = 3;
const EVERY_SLOTS = 20;
const SLOT_MS = 10;
const engine = { fallbackSolUsd, undoSlotsMax: 64 };

/** The market's slots, decoded. */
export function marketFacts(count = SLOTS): SlotFacts[] {
  return marketBlocks(count).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return decodeBlock(reading.value);
  });
}

/** The digest of an engine that folds the market up to a slot, without a store. */
export function marketDigest(lastSlot: number): string {
  const whole = new Engine(engine);
  for (const facts of marketFacts()) if (facts.slot <= lastSlot) whole.apply(facts);
  return whole.digest();
}

/** The market as a followed chain: each slot is final after three more slots. */
export function followedItems(): IngestionSource {
  return itemSource(items(), false);
}

async function* items(): AsyncGenerator<SourceItem> {
  const open: Slot[] = [];
  for (const facts of marketFacts()) {
    yield { kind: 'facts', facts };
    open.push(facts.slot);
    const final = open.length > LAG ? open.shift() : undefined;
    if (final !== undefined) yield { kind: 'final', slot: final };
    await delay(SLOT_MS);
  }
}

/** Hooks in the process that follows. */
export interface FollowedParts {
  /** Called when the shadow fold's process is about to get the log. */
  readonly onShadowReads?: () => void;
  /** Called when a snapshot is complete and about to be named. */
  readonly onNaming?: () => void;
}

/** Opens a data folder with snapshots every few slots. */
export async function openFollowed(
  dataDir: string,
  { onShadowReads, onNaming }: FollowedParts = {},
  hooks: IngestionHooks = {},
) {
  const store = await openStore({ dataDir });
  const log: IngestionStore['log'] = {
    read: (from) => store.log.read(from),
    find: (slot) => store.log.find(slot),
    readEncoded: (from, to) => {
      onShadowReads?.();
      return store.log.readEncoded(from, to);
    },
  };
  const snapshots = new Snapshots(store.snapshots.folder, async () => onNaming?.());
  const shadow = { engine, everySlots: EVERY_SLOTS };
  const parts = {
    store: { ...store, log },
    createEngine: (chunks: Iterable<Uint8Array> | null) => new Engine(engine, chunks),
    rules: 'rules',
    snapshots: new EngineSnapshots({ snapshots, log, rules: 'rules', shadow }),
  };
  return { store, snapshots, ingestion: await Ingestion.open(parts, hooks) };
}
