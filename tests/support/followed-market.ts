import { setTimeout as delay } from 'node:timers/promises';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { Ingestion } from '../../src/ingestion/ingestion.ts';
import type { IngestionHooks, IngestionSource } from '../../src/ingestion/ingestion-run.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { openStore } from '../../src/store/store.ts';
import { itemSource } from './item-source.ts';
import { marketBlocks } from './market-blocks.ts';
import { fallbackSolUsd } from './master-fixture.ts';

const SLOTS = 3_000;
/** Slots that may still be reverted, at every moment. */
const LAG = 3;
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

/** Opens a data folder. */
export async function openFollowed(dataDir: string, hooks: IngestionHooks = {}) {
  const store = await openStore({ dataDir });
  const createEngine = () => new Engine(engine);
  return { store, ingestion: await Ingestion.open({ store, createEngine, rules: 'rules' }, hooks) };
}
