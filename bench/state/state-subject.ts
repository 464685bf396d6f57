import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../src/engine/engine.ts';
import { EngineStates } from '../../src/ingestion/engine-states.ts';
import type { FoldProgress, StateCheckpoints } from '../../src/ingestion/state-checkpoints.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asPriceE18, asSlot, SLOT_MAX } from '../../src/model/units.ts';
import { stateMemoryOf } from '../../src/service/state-memory.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import type { Footprint } from './footprint.ts';
import { blockhashOf } from './growing-market.ts';
import { RecordReads } from './record-reads.ts';
import { SlotTimes } from './slot-times.ts';
import { readThreadTime, timeBetween } from './thread-time.ts';

/** What a run measures: slots are applied to it, one after another. */
export interface StateSubject {
  readonly engine: Engine;
  /** Pages and objects brought back from files so far. Null where there are none. */
  readonly loadedPages: number | null;
  /** Applies a slot as final. */
  apply(facts: SlotFacts): Promise<void>;
}

export interface SubjectOptions {
  /** Bound of the state in memory, in bytes. */
  readonly stateMemoryBytes: number;
  readonly folder: string;
}

/** SOL/USD before the market has traded it. */
const FALLBACK_SOL_USD = asPriceE18(150n * 10n ** 18n);
/** All slots belong to one fold. */
const FOLD = 1;
/** Objects leave memory when they take nearly all that they may. */
const KEPT_OBJECTS_SHARE = 0.9;

/** An engine with all of its state in memory, which starts from nothing. */
export class UnboundedSubject implements StateSubject {
  readonly engine = new Engine({ fallbackSolUsd: FALLBACK_SOL_USD });
  readonly loadedPages = null;

  async apply(facts: SlotFacts): Promise<void> {
    this.engine.apply(facts);
  }
}

/** An engine whose state is stored and evicted as that of the service. */
export class StoredSubject implements StateSubject {
  readonly engine: Engine;
  /** Of the slots that were applied. */
  readonly times = new SlotTimes();
  /** The pool of the first swap that was applied: every later checkpoint has it. */
  firstPool: Address | null = null;
  private readonly folder: string;
  private readonly checkpoints: StateCheckpoints;
  private readonly reads: RecordReads;
  /** All of the state was made by this process. */
  private readonly isNew: boolean;
  private progress: FoldProgress | null = null;

  private constructor(
    states: EngineStates,
    restored: Engine | null,
    { folder, reads }: { readonly folder: string; readonly reads: RecordReads },
  ) {
    const engine = restored ?? states.create(FOLD);
    const checkpoints = states.checkpointsOf(engine, (sentence) => console.log(sentence));
    if (checkpoints === null) throw new Error('the state is not stored');
    this.engine = engine;
    this.folder = folder;
    this.reads = reads;
    this.checkpoints = checkpoints;
    this.isNew = restored === null;
  }

  /** Continues from the newest checkpoint in the folder, if there is one. */
  static async open({ stateMemoryBytes, folder }: SubjectOptions): Promise<StoredSubject> {
    const reads = new RecordReads();
    const states = new EngineStates({
      folders: reads.watch(foldersIn(folder)),
      log: { find: async (slot) => ({ blockhash: blockhashOf(slot) }) },
      rules: 'bench:state',
      engine: { fallbackSolUsd: FALLBACK_SOL_USD },
      memory: stateMemoryOf(stateMemoryBytes),
    });
    const newest = { epoch: FOLD, slot: asSlot(SLOT_MAX) };
    const restored = await states.restore(newest, (sentence) => console.log(sentence));
    return new StoredSubject(states, restored?.engine ?? null, { folder, reads });
  }

  /**
   * Applies a slot as final, and begins or continues a checkpoint as the service does between two
   * slots: with turns for others, in which a commit goes on.
   */
  async apply(facts: SlotFacts): Promise<void> {
    const { engine, checkpoints, times } = this;
    const { isWriting } = checkpoints;
    const began = readThreadTime();
    engine.apply(facts);
    const applied = readThreadTime();
    this.firstPool ??= firstPoolOf(facts);
    const { slot, blockhash } = facts;
    this.progress = {
      fold: {
        end: { slot, blockhash, timeMs: engine.timeMs },
        finalSlot: slot,
        takeCheckpointDigest: () => undefined,
      },
      cursor: { slot, isDirty: false },
      olderSlots: 0,
    };
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    await checkpoints.step(this.progress);
    await nextTurn();
    const ended = readThreadTime();
    times.add({
      isWriting,
      apply: timeBetween(began, applied),
      checkpoint: timeBetween(applied, ended),
    });
  }

  get loadedPages(): number {
    return this.reads.count;
  }

  /** Whether only the commit of a later checkpoint is missing: a kill now loses most. */
  get isNearlyStored(): boolean {
    return this.checkpoints.isWritten && this.checkpoints.retained.length > 0;
  }

  /** Stores the state as of the last slot, as an orderly stop does. */
  async store(): Promise<void> {
    if (this.progress !== null) await this.checkpoints.complete(this.progress);
  }

  /** Stores the state and returns what it takes then, with so many wallets in it. */
  async footprint(wallets: number): Promise<Footprint> {
    await this.store();
    const { pageBytes, objectBytes, objectBytesMax, evictedPages } = this.checkpoints.status.memory;
    const isInMemory =
      this.isNew && evictedPages === 0 && objectBytes < objectBytesMax * KEPT_OBJECTS_SHARE;
    // Read beside the records that are in use, and left as it is.
    const { records } = foldersIn(this.folder).open(FOLD, { rules: '', isEqual: () => true });
    const { fileBytes, liveBytes: diskBytes } = records.sizes();
    records.close();
    return {
      wallets,
      memoryBytes: isInMemory ? pageBytes + objectBytes : null,
      diskBytes,
      fileBytes,
    };
  }

  /** Drops what is in memory and a checkpoint that is being written, as if killed. */
  async kill(): Promise<void> {
    this.checkpoints.abort();
    await this.checkpoints.settled();
    this.engine.close();
  }
}

/** The folder of the state in a folder of a run. */
export function stateFolderOf(folder: string): string {
  return join(folder, 'state');
}

function foldersIn(folder: string): StateFolders {
  return new StateFolders(stateFolderOf(folder));
}

function firstPoolOf({ transactions }: SlotFacts): Address | null {
  for (const { events } of transactions) {
    for (const event of events) if (event.kind === 'swap') return event.pool;
  }
  return null;
}
