import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { GraphError } from '../lib/graph-types.ts';
import { decodeSlotFacts } from '../store/codecs/facts-codec.ts';
import { DamagedFileError } from '../store/snapshots/snapshot-file.ts';
import { SHADOW_DRAFT, type SnapshotDraft, Snapshots } from '../store/snapshots/snapshots.ts';
import { createShadowSpill } from '../store/snapshots/spill-folder.ts';

/** What the state depends on beside the log, and how much of it may be in memory. */
export type ShadowEngineOptions = Pick<EngineOptions, 'fallbackSolUsd' | 'bounds'>;

/** What a shadow fold begins with. Plain data: it goes to another process. */
export interface ShadowStart {
  /** Where snapshots are kept. */
  readonly folder: string;
  /** Name of the snapshot to go on from, one that fits the log; null: the log's first slot is next. */
  readonly base: string | null;
  /** Where its spill lies; null: in memory. */
  readonly spillFolder: string | null;
  readonly engine: ShadowEngineOptions;
  /** What the next snapshot says of itself. */
  readonly rules: string;
  readonly epoch: number;
}

/** The snapshot to go on from cannot be read. */
export class UnreadableBaseError extends Error {
  override readonly name = 'UnreadableBaseError';
}

/**
 * A fold of final slots of the log beside the live one, for the next snapshot and nothing else: it
 * goes on where the snapshot before ends.
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

  /** Folds slots as the log stores them, in its order. */
  fold(encoded: readonly string[]): void {
    for (const text of encoded) {
      const facts = decodeSlotFacts(text);
      if (facts.decoderVersion < DECODER_VERSION) this.olderSlots++;
      this.engine.apply(facts);
    }
  }

  /** Gives back what lies outside of memory. */
  close(): void {
    this.engine.close();
  }

  /** The state as the draft of a snapshot. Throws StoreError, and RangeError before the first slot. */
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
