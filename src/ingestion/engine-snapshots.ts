import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { STATE_LAYOUT } from '../engine/state/state-snapshot.ts';
import { GraphError } from '../lib/graph-types.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { DamagedFileError } from '../store/snapshots/snapshot-file.ts';
import type { ReadSnapshot, SnapshotDraft, Snapshots } from '../store/snapshots/snapshots.ts';
import type { Store } from '../store/store.ts';
import type { ShadowEngineOptions, ShadowStart } from './shadow-fold.ts';
import type { ChainEnd } from './slot-marks.ts';

/** How many final slots are folded between two snapshots: over an hour of the chain. */
export const SNAPSHOT_EVERY_SLOTS = 10_000;

/** An engine that is told what it is to go on from; null: nothing. */
export type EngineFactory = (chunks: Iterable<Uint8Array> | null) => Engine;

/** What snapshots are checked against. */
export interface SnapshotSurroundings {
  readonly snapshots: Pick<Snapshots, 'folder' | 'names' | 'open' | 'refuse' | 'write' | 'keep'>;
  readonly log: Pick<Store['log'], 'find'>;
  /** What the fold depends on beside the log, in words. */
  readonly rules: string;
  /** Left out: nothing is kept while slots are held that may be taken back. */
  readonly shadow?: ShadowOptions;
}

/** How a shadow fold keeps states while a chain is followed. */
export interface ShadowOptions {
  /** Those of the live engine. */
  readonly engine: ShadowEngineOptions;
  /** Begins once so many slots or swaps came since the last snapshot. */
  readonly everySlots?: number;
  readonly everySwaps?: number;
  /** Where its spill lies; left out: in memory. */
  readonly spillFolder?: string | null;
}

/** A state that a snapshot held: the log is folded from the slot after it. */
export interface RestoredEngine {
  readonly engine: Engine;
  readonly end: ChainEnd;
  readonly fromSlot: Slot;
  /** Slots up to it that older decoders read. */
  readonly olderSlots: number;
}

/** Saves and restores the engine of a fold. Without any snapshot the log gives the same state. */
export class EngineSnapshots {
  private readonly surroundings: SnapshotSurroundings;
  private readonly rules: string;
  /** The newest one that fits the log; null: none is known. */
  private newest: string | null = null;

  constructor(surroundings: SnapshotSurroundings) {
    this.surroundings = surroundings;
    this.rules = `${surroundings.rules}, decoders ${DECODER_VERSION}, state ${STATE_LAYOUT}`;
  }

  /**
   * The newest state that belongs to the log and the cursor; null when there is none, and always
   * when the log has to be folded again. `onRefused` is told in a sentence of each one passed over.
   */
  async restore(
    cursor: Cursor,
    createEngine: EngineFactory,
    onRefused: (sentence: string) => void,
  ): Promise<RestoredEngine | null> {
    if (cursor.isDirty || cursor.slot === null) return null;
    const { snapshots } = this.surroundings;
    for (const name of snapshots.names()) {
      const outcome = await this.tryOne(name, cursor, createEngine);
      if (typeof outcome !== 'string') {
        this.newest = name;
        return outcome;
      }
      snapshots.refuse(name);
      onRefused(`The snapshot ${name} is not used: ${outcome}.`);
    }
    return null;
  }

  /**
   * Keeps the state of an engine all of whose slots are final and stored. Nothing may be folded
   * before it returns; reads go on. Throws RangeError while a slot is not final, StoreError when
   * nothing can be written.
   */
  async save(engine: Engine, epoch: number, olderSlots: number): Promise<void> {
    const { lastSlot: slot, lastBlockhash: blockhash } = engine;
    if (slot === null) return;
    const head = { rules: this.rules, epoch, slot, blockhash, olderSlots };
    this.newest = await this.surroundings.snapshots.write(head, engine.writeState());
  }

  get shadow(): ShadowOptions | null {
    return this.surroundings.shadow ?? null;
  }

  /** What a shadow fold begins with that goes on from the newest snapshot. */
  shadowStart({ engine, spillFolder = null }: ShadowOptions, epoch: number): ShadowStart {
    const { folder } = this.surroundings.snapshots;
    // Nothing but these: what else an engine is given may not go to another process.
    const { fallbackSolUsd, bounds = {} } = engine;
    return {
      folder,
      base: this.newest,
      spillFolder,
      engine: { fallbackSolUsd, bounds },
      rules: this.rules,
      epoch,
    };
  }

  /** Keeps what a shadow fold wrote. Throws StoreError. */
  async keep(draft: SnapshotDraft): Promise<void> {
    this.newest = await this.surroundings.snapshots.keep(draft);
  }

  /** The newest one cannot be read any more. */
  refuseNewest(): void {
    if (this.newest !== null) this.surroundings.snapshots.refuse(this.newest);
    this.newest = null;
  }

  /** The log is folded in another way than it was for all there are: they make room first. */
  refuseAll(): void {
    const { snapshots } = this.surroundings;
    this.newest = null;
    for (const name of snapshots.names()) snapshots.refuse(name);
  }

  /** The state, or why not. */
  private async tryOne(
    name: string,
    cursor: Cursor,
    createEngine: EngineFactory,
  ): Promise<RestoredEngine | string> {
    let snapshot: ReadSnapshot | null = null;
    try {
      snapshot = this.surroundings.snapshots.open(name);
      const reason = await this.reasonAgainst(snapshot, cursor);
      return reason ?? restored(snapshot, createEngine);
    } catch (error) {
      if (error instanceof DamagedFileError || error instanceof GraphError) return error.message;
      throw error;
    } finally {
      snapshot?.close();
    }
  }

  private async reasonAgainst({ head }: ReadSnapshot, cursor: Cursor): Promise<string | null> {
    const { rules, epoch, slot, blockhash } = head;
    if (rules !== this.rules) return `it was written under "${rules}", this is "${this.rules}"`;
    if (epoch !== cursor.epoch) return 'the log has been folded again since';
    if (cursor.slot === null || slot > cursor.slot) return 'it is ahead of what is stored';
    const stored = await this.surroundings.log.find(slot);
    if (stored?.blockhash !== blockhash) return `the log holds another slot ${slot}`;
    return null;
  }
}

function restored({ head, chunks }: ReadSnapshot, createEngine: EngineFactory): RestoredEngine {
  const engine = createEngine(chunks);
  const { slot, blockhash, olderSlots } = head;
  if (engine.lastSlot !== slot) {
    engine.close();
    throw new GraphError(`it ends at slot ${engine.lastSlot}`);
  }
  const end = { slot, blockhash, timeMs: engine.timeMs };
  return { engine, end, fromSlot: (slot + 1) as Slot, olderSlots };
}
