import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { signature } from '../../tests/support/build-transaction.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import {
  createTrader,
  fallbackSolUsd,
  launch,
  SOL,
  START_MS,
} from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import { namesProcesses, shadowProcesses } from '../../tests/support/shadow-processes.ts';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import { StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { Snapshots } from '../store/snapshots/snapshots.ts';
import { type EngineFactory, EngineSnapshots } from './engine-snapshots.ts';
import { FoldSnapshots } from './fold-snapshots.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { ShadowSnapshots } from './shadow-snapshots.ts';

const createEngine: EngineFactory = (chunks) =>
  new Engine({ fallbackSolUsd, undoSlotsMax: 64 }, chunks);
const FIRST = 1_000;
/** Revertible slots at all times. */
const LAG = 2;
const EVERY_SLOTS = 6;
const day = tradingDay(24);

/** A coin traded in every slot. */
function tradingDay(slots: number): SlotFacts[] {
  const trade = createTrader();
  return Array.from({ length: slots }, (_, index) => {
    const traded = trade(`wallet ${index % 3}`, 'buy', SOL, 1_000n + BigInt(index), 1);
    const transactions = [
      ...(index === 0 ? [launch()] : []),
      { ...traded, signature: signature(`trade ${index}`) },
    ];
    return {
      ...slotFacts(FIRST + index, START_MS + index * 1_000, transactions),
      decoderVersion: DECODER_VERSION,
      parentSlot: asSlot(FIRST + index - 1),
      blockhash: `hash ${index}`,
      previousBlockhash: `hash ${index - 1}`,
    };
  });
}

let folder: string;
let store: MemoryStore;
let said: string[];
/** Number of shadow fold processes when a sentence was reported. */
let leftWhenSaid: number[];
let folded: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shadow-snapshots-'));
  store = new MemoryStore();
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

interface Opening {
  readonly opened?: IngestionStore;
  readonly isWritable?: () => boolean;
}

async function open({ opened = store.open(), isWritable = () => true }: Opening = {}) {
  said = [];
  leftWhenSaid = [];
  folded = 0;
  const snapshots = new Snapshots(folder, async () => {
    if (!isWritable()) throw new StoreError('another process writes');
  });
  const shadow = { engine: { fallbackSolUsd, undoSlotsMax: 64 }, everySlots: EVERY_SLOTS };
  const kept = new EngineSnapshots({ snapshots, log: opened.log, rules: 'rules', shadow });
  const parts = { store: opened, createEngine, rules: 'rules', snapshots: kept, nowMs: () => 77 };
  return Ingestion.open(parts, hooks);
}

const hooks: IngestionHooks = {
  writeAfterMs: 0,
  refoldAfterMs: 0,
  onFold: () => folded++,
  onSnapshotProblem: (sentence) => {
    said.push(sentence);
    if (namesProcesses) leftWhenSaid.push(...shadowProcesses());
  },
};

const keptSlots = () => new Snapshots(folder).names().map((name) => Number(name.split('-')[1]));

/** The oracle: an engine that folds everything up to a slot and is never stored. */
function digestAt(slot: number): string {
  const engine = createEngine(null);
  for (const facts of day) if (facts.slot <= slot) engine.apply(facts);
  return engine.digest();
}

function digestOfKept(slot: number): string {
  const snapshots = new Snapshots(folder);
  const name = snapshots.names().find((each) => each.startsWith(`snapshot-${slot}-`)) ?? '';
  return createEngine(snapshots.open(name).chunks).digest();
}

/** Items of a followed chain: each slot is final when two have come after it. */
function* emitted(blocks: readonly SlotFacts[]): Generator<SourceItem> {
  for (const facts of blocks) {
    yield { kind: 'facts', facts };
    const slot = asSlot(facts.slot - LAG);
    if (slot >= FIRST) yield { kind: 'final', slot };
  }
}

/** Each item once everything before is stored: a shadow fold starts from the stored state. */
async function* written(
  ingestion: Ingestion,
  items: Iterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  for (const item of items) {
    yield item;
    await until(() => ingestion.status.unwrittenSlots === 0);
  }
}

/** Waits until the condition holds or the test times out. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((wake) => setTimeout(wake, 5));
}

/** Follows slots, waits, and ends like a killed process: nothing is reverted or saved. */
async function followUntilKilled(
  ingestion: Ingestion,
  steps: readonly (readonly SlotFacts[] | (() => boolean))[],
): Promise<void> {
  async function* items(): AsyncGenerator<SourceItem> {
    for (const step of steps) {
      if (typeof step === 'function') await until(step);
      else yield* written(ingestion, emitted(step));
    }
    throw new RangeError('killed');
  }
  await expect(ingestion.ingest(itemSource(items(), false), hooks)).rejects.toThrow('killed');
}

const isKept = (count: number) => () => keptSlots().length === count;

describe('a snapshot while a chain is followed', () => {
  test('is of the live state at a final slot, and a killed service continues from it', async () => {
    await followUntilKilled(await open(), [day.slice(0, 10), isKept(1), day.slice(10, 14)]);
    const [kept = 0] = keptSlots();
    const final = FIRST + 14 - 1 - LAG;
    expect(kept).toBeGreaterThanOrEqual(FIRST + EVERY_SLOTS - 2 - LAG);
    expect(kept).toBeLessThanOrEqual(FIRST + 10 - 1 - LAG);
    expect(digestOfKept(kept)).toBe(digestAt(kept));
    const restarted = await open();
    expect([said, folded]).toEqual([[], final - kept]);
    expect(restarted.engine.digest()).toBe(digestAt(final));
    await restarted.ingest(itemSource(emitted(day.slice(12)), false), hooks);
    expect(restarted.engine.digest()).toBe(digestAt(FIRST + 24 - 1 - LAG));
  });

  test('continues from the previous one, and reads only the log after it', async () => {
    const opened = store.open();
    const read: number[] = [];
    const log: IngestionStore['log'] = {
      ...opened.log,
      readEncoded: (from, to) => {
        read.push(from);
        return opened.log.readEncoded(from, to);
      },
    };
    const ingestion = await open({ opened: { ...opened, log } });
    await followUntilKilled(ingestion, [day.slice(0, 8), isKept(1), day.slice(8, 16), isKept(2)]);
    const [second = 0, first = 0] = keptSlots();
    expect(read).toEqual([0, first + 1]);
    expect(digestOfKept(second)).toBe(digestAt(second));
    expect(said).toEqual([]);
  });

  test('is discarded when a late slot arrives meanwhile, and made again from the log with it', async () => {
    const opened = store.open();
    let isLate = false;
    const log: IngestionStore['log'] = {
      ...opened.log,
      async *readEncoded(from, to) {
        await until(() => isLate);
        yield* opened.log.readEncoded(from, to);
      },
    };
    const ingestion = await open({ opened: { ...opened, log } });
    const late = day[3] as SlotFacts;
    async function* items(): AsyncGenerator<SourceItem> {
      yield* emitted(day.slice(0, 12).filter((facts) => facts !== late));
      yield { kind: 'facts', facts: late };
      expect(keptSlots()).toEqual([]);
      isLate = true;
      await until(() => !ingestion.status.isRefolding);
      yield* emitted(day.slice(12));
      await until(isKept(1));
      throw new RangeError('killed');
    }
    await expect(ingestion.ingest(itemSource(items(), false), hooks)).rejects.toThrow('killed');
    expect(ingestion.status.refolds).toBe(1);
    const [kept = 0] = keptSlots();
    expect(digestOfKept(kept)).toBe(digestAt(kept));
    expect(said).toEqual([]);
  });

  test('that can no longer be read is reported, and the next one is made from the whole log', async () => {
    const ingestion = await open();
    await ingestion.ingest(itemSource(emitted(day.slice(0, 6)), false), hooks);
    const [name = ''] = new Snapshots(folder).names();
    truncateSync(join(folder, name), 300);
    await followUntilKilled(ingestion, [
      day.slice(4, 14),
      () => said.length > 0,
      day.slice(14),
      () => keptSlots().some((slot) => slot > FIRST + 8),
    ]);
    expect(said).toEqual([
      expect.stringMatching(/^The state after slot \d+ is not kept: it is cut off$/),
    ]);
    // The next slot may start another shadow fold once it is reported.
    expect(leftWhenSaid).toEqual([]);
    const [kept = 0] = keptSlots();
    expect(keptSlots()).toEqual([kept]);
    expect(digestOfKept(kept)).toBe(digestAt(kept));
  });

  test.skipIf(!namesProcesses)(
    'whose process is killed is reported, and the next one is kept',
    async () => {
      const opened = store.open();
      let readings = 0;
      const log: IngestionStore['log'] = {
        ...opened.log,
        async *readEncoded(from, to) {
          yield* opened.log.readEncoded(from, to);
          if (++readings === 1) for (const pid of shadowProcesses()) process.kill(pid, 'SIGKILL');
        },
      };
      const ingestion = await open({ opened: { ...opened, log } });
      await followUntilKilled(ingestion, [
        day.slice(0, 10),
        () => said.length > 0,
        day.slice(10),
        isKept(1),
      ]);
      expect(said).toEqual([
        expect.stringMatching(
          /^The state after slot \d+ is not kept: its process was ended by SIGKILL$/,
        ),
      ]);
      const [kept = 0] = keptSlots();
      expect(digestOfKept(kept)).toBe(digestAt(kept));
      expect(shadowProcesses()).toEqual([]);
    },
  );

  test('is not kept if its process was cancelled, without other effects', async () => {
    const ingestion = await open({ isWritable: () => false });
    await followUntilKilled(ingestion, [day.slice(0, 12), () => said.length > 0]);
    expect(keptSlots()).toEqual([]);
    expect(said[0]).toMatch(/^The state after slot \d+ is not kept: another process writes$/);
  });

  test('that is being made when its source ends is replaced by the state at the end', async () => {
    const ingestion = await open();
    await ingestion.ingest(itemSource(emitted(day.slice(0, 12)), false), hooks);
    const final = FIRST + 12 - 1 - LAG;
    expect(keptSlots()[0]).toBe(final);
    expect(digestOfKept(final)).toBe(digestAt(final));
    expect(said).toEqual([]);
  });

  test('that is cancelled while the log is read leaves no unhandled failure', async () => {
    const reading = Promise.withResolvers<void>();
    const log = {
      async *readEncoded() {
        await reading.promise;
        yield [];
      },
    };
    const shadow = new ShadowSnapshots({
      log,
      snapshots: new FoldSnapshots(null),
      exclusively: (work) => work(),
    });
    const engine = { fallbackSolUsd };
    const start = { folder, base: null, spillFolder: folder, engine, rules: 'rules', epoch: 1 };
    shadow.start({ start, fromSlot: 0, toSlot: asSlot(FIRST) }, hooks);
    shadow.cancel();
    // The process has ended by then: a request that is not awaited yet must have been rejected.
    await delay(1_000);
    reading.resolve();
    await shadow.stop();
    shadow.assertWell();
    expect(said).toEqual([]);
  });
});
