import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { STATE_LAYOUT } from '../engine/state/state-snapshot.ts';
import { GraphError } from '../lib/graph-types.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { DamagedFileError } from '../store/snapshots/snapshot-file.ts';
import type { ReadSnapshot, SnapshotDraft, Snapshots } from '../store/snapshots/snapshots.ts';
import type { Store } from '../store/store.ts';
import type { ShadowEngineOptions, ShadowStart } from './shadow-fold.ts';
import type { ChainEnd } from './slot-marks.ts';

/** Number of final slots between two snapshots: over an hour of the chain. */
export const SNAPSHOT_EVERY_SLOTS = 10_000;

/** Creates an engine from the chunks of a snapshot, or an empty one for null. */
export type EngineFactory = (chunks: Iterable<Uint8Array> | null) => Engine;

/** Dependencies of snapshots. */
export interface SnapshotSurroundings {
  readonly snapshots: Pick<Snapshots, 'folder' | 'names' | 'open' | 'refuse' | 'write' | 'keep'>;
  readonly log: Pick<Store['log'], 'find'>;
  /** Inputs of the fold other than the log, as text. */
  readonly rules: string;
  /** If omitted, no snapshot is made while there are revertible slots. */
  readonly shadow?: ShadowOptions;
}

/** Settings of the shadow fold, which makes snapshots while a chain is followed. */
export interface ShadowOptions {
  /** Options of the live engine. */
  readonly engine: ShadowEngineOptions;
  /** A shadow fold starts after this many slots or swaps since the last snapshot. */
  readonly everySlots?: number;
  readonly everySwaps?: number;
  /** Folder of its spill; in memory if omitted. */
  readonly spillFolder?: string | null;
}

/** State restored from a snapshot; the log is folded from the next slot on. */
export interface RestoredEngine {
  readonly engine: Engine;
  readonly end: ChainEnd;
  readonly fromSlot: Slot;
  /** Number of slots up to it decoded by older decoders. */
  readonly olderSlots: number;
}

/** Saves and restores engine states. They only save time: the log alone yields the same state. */
export class EngineSnapshots {
  private readonly surroundings: SnapshotSurroundings;
  private readonly rules: string;
  /** The newest snapshot that matches the log; null if there is none. */
  private newest: string | null = null;

  constructor(surroundings: SnapshotSurroundings) {
    this.surroundings = surroundings;
    this.rules = `${surroundings.rules}, decoders ${DECODER_VERSION}, state ${STATE_LAYOUT}`;
  }

  /**
   * The newest state that matches the log and the cursor; null if there is none, and whenever the
   * log has to be refolded. `onRefused` receives a sentence for each snapshot passed over.
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
   * Saves the state of an engine whose slots are all final and stored. Nothing may be folded until
   * it returns; reads may continue. Throws RangeError if a slot is not final, StoreError if writing
   * fails.
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

  /** Start parameters of a shadow fold that continues from the newest snapshot. */
  shadowStart({ engine, spillFolder = null }: ShadowOptions, epoch: number): ShadowStart {
    const { folder } = this.surroundings.snapshots;
    // Only these options are passed: other options of an engine cannot be sent to another process.
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

  /** Adopts a snapshot written by a shadow fold. Throws StoreError. */
  async keep(draft: SnapshotDraft): Promise<void> {
    this.newest = await this.surroundings.snapshots.keep(draft);
  }

  /** Discards the newest snapshot, which cannot be read. */
  refuseNewest(): void {
    if (this.newest !== null) this.surroundings.snapshots.refuse(this.newest);
    this.newest = null;
  }

  /** Discards all snapshots after a refold, which frees their space. */
  refuseAll(): void {
    const { snapshots } = this.surroundings;
    this.newest = null;
    for (const name of snapshots.names()) snapshots.refuse(name);
  }

  /** The state, or the reason for refusing the snapshot. */
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
  return { engine, end, fromSlot: asSlot(slot + 1), olderSlots };
}
