import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { GraphError } from '../lib/graph-types.ts';
import { decodeSlotFacts } from '../store/codecs/facts-codec.ts';
import { DamagedFileError } from '../store/snapshots/snapshot-file.ts';
import { SHADOW_DRAFT, type SnapshotDraft, Snapshots } from '../store/snapshots/snapshots.ts';
import { createShadowSpill } from '../store/snapshots/spill-folder.ts';

/** Inputs of the state other than the log, and its memory bounds. */
export type ShadowEngineOptions = Pick<EngineOptions, 'fallbackSolUsd' | 'bounds'>;

/** Start parameters of a shadow fold. Plain data, because it is sent to another process. */
export interface ShadowStart {
  /** Folder of snapshots. */
  readonly folder: string;
  /**
   * Name of the snapshot to continue from, which matches the log; null to start with the first
   * slot.
   */
  readonly base: string | null;
  /** Folder of its spill; null for in memory. */
  readonly spillFolder: string | null;
  readonly engine: ShadowEngineOptions;
  /** Header fields of the next snapshot. */
  readonly rules: string;
  readonly epoch: number;
}

/** The snapshot to continue from cannot be read. */
export class UnreadableBaseError extends Error {
  override readonly name = 'UnreadableBaseError';
}

/**
 * A fold of the final slots of the log, in addition to the live one, that only makes the next
 * snapshot. It continues from the previous snapshot.
 */
export class ShadowFold {
  private readonly snapshots: Snapshots;
  private readonly start: ShadowStart;
  private readonly engine: Engine;
  private olderSlots = 0;

  /** Throws UnreadableBaseError. */
  constructor(start: ShadowStart) {
    this.start = start;
    this.snapshots = new Snapshots(start.folder);
    this.engine = this.restored();
  }

  /** Folds encoded slots of the log, in order. */
  fold(encoded: readonly string[]): void {
    for (const text of encoded) {
      const facts = decodeSlotFacts(text);
      if (facts.decoderVersion < DECODER_VERSION) this.olderSlots++;
      this.engine.apply(facts);
    }
  }

  /** Releases the spill. */
  close(): void {
    this.engine.close();
  }

  /**
   * Writes the state as the draft of a snapshot. Throws StoreError, and RangeError before the first
   * slot.
   */
  async write(): Promise<SnapshotDraft> {
    const { engine, olderSlots } = this;
    const { rules, epoch } = this.start;
    const { lastSlot: slot, lastBlockhash: blockhash } = engine;
    if (slot === null) throw new RangeError('nothing was folded');
    const head = { rules, epoch, slot, blockhash, olderSlots };
    return this.snapshots.draft(head, engine.writeState(), SHADOW_DRAFT);
  }

  private restored(): Engine {
    const { base, engine, spillFolder } = this.start;
    const options: EngineOptions =
      spillFolder === null
        ? engine
        : { ...engine, createSpill: (rowBytes) => createShadowSpill(spillFolder, rowBytes) };
    if (base === null) return new Engine(options);
    try {
      const { head, chunks } = this.snapshots.open(base);
      this.olderSlots = head.olderSlots;
      return new Engine(options, chunks);
    } catch (error) {
      if (!(error instanceof DamagedFileError || error instanceof GraphError)) throw error;
      throw new UnreadableBaseError(error.message, { cause: error });
    }
  }
}
