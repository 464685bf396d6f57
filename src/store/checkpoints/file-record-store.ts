import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import {
  assertRecordNumbers,
  type CheckpointHead,
  LostRecordsError,
  type RecordSizes,
  type RecordStore,
} from '../../model/record-store.ts';
import type { Slot } from '../../model/units.ts';
import { type CheckFinding, type CheckProgress, checkRecords } from './check-records.ts';
import type { CheckpointFile, CheckpointFolder } from './checkpoint-folder.ts';
import { Compaction } from './compaction.ts';
import type { IndexedRecords } from './indexed-records.ts';
import type { Manifest, ManifestSegment } from './manifest.ts';
import { retainedCheckpoints } from './retention.ts';
import { toStoreError } from './store-failure.ts';

export interface FileRecordStoreOptions {
  readonly folder: CheckpointFolder;
  readonly records: IndexedRecords;
  /** Manifests to retain according to their age, and those that the next commit removes. */
  readonly checkpoints: readonly RetainedCheckpoint[];
  readonly obsolete: readonly CheckpointFile[];
  /** The highest of the folder. */
  readonly sequence: number;
  /** Leaves of the index that are written between two turns of other work. */
  readonly leavesPerTurn: number;
  /** Called before a checkpoint becomes the newest; throws if this process may no longer write. */
  readonly guard: () => Promise<void>;
}

/** A checkpoint that can be opened. */
export interface RetainedCheckpoint {
  readonly name: string;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly segments: readonly ManifestSegment[];
}

/**
 * Records in segments, an index of where they lie, and manifests that name a state of it. Opened
 * with `openRecords`.
 */
export class FileRecordStore implements RecordStore {
  private readonly folder: CheckpointFolder;
  private readonly records: IndexedRecords;
  private readonly compaction: Compaction;
  private readonly guard: () => Promise<void>;
  private readonly leavesPerTurn: number;
  private checkpoints: readonly RetainedCheckpoint[];
  private obsolete: readonly CheckpointFile[];
  private sequence: number;
  private state: 'idle' | 'open' | 'committing' = 'idle';
  private isAborted = false;
  private hasWritten = false;
  /** Segments that could not be read when everything was last to be moved out of them. */
  private readonly unreadSuspects = new Set<number>();

  constructor(options: FileRecordStoreOptions) {
    this.folder = options.folder;
    this.records = options.records;
    this.compaction = new Compaction(options.records);
    this.guard = options.guard;
    this.leavesPerTurn = options.leavesPerTurn;
    this.checkpoints = options.checkpoints;
    this.obsolete = options.obsolete;
    this.sequence = options.sequence;
  }

  get unwrittenBytes(): number {
    return this.records.log.unwrittenBytes;
  }

  get writeFailure(): StoreError | null {
    return this.records.log.writeFailure;
  }

  read(space: number, id: number): Uint8Array | null {
    assertRecordNumbers(space, id);
    return this.records.read(space, id);
  }

  put(space: number, id: number, bytes: Uint8Array): void {
    assertRecordNumbers(space, id);
    this.beforeWriting();
    this.records.put(space, id, bytes);
  }

  delete(space: number, id: number): void {
    assertRecordNumbers(space, id);
    this.records.delete(space, id);
  }

  settle(): void {
    this.records.log.flush();
  }

  begin(): void {
    if (this.state !== 'idle') throw new Error('a checkpoint is open already');
    this.beforeWriting();
    this.leaveSuspects();
    this.records.begin();
    this.state = 'open';
  }

  putAsOf(space: number, id: number, bytes: Uint8Array): void {
    assertRecordNumbers(space, id);
    if (this.state !== 'open') throw new Error('no checkpoint is open');
    this.records.putAsOf(space, id, bytes);
  }

  deleteAsOf(space: number, id: number): void {
    assertRecordNumbers(space, id);
    if (this.state !== 'open') throw new Error('no checkpoint is open');
    this.records.deleteAsOf(space, id);
  }

  async commit(head: CheckpointHead): Promise<boolean> {
    if (this.state !== 'open') throw new Error('no checkpoint is open');
    this.state = 'committing';
    this.isAborted = false;
    try {
      while (!this.records.writeLeaves(this.leavesPerTurn)) {
        await nextTurn();
        if (this.isAborted) return false;
      }
      // In the same turn as the last leaf: the index continues with newer content.
      const manifest = this.manifestOf(head);
      this.records.end();
      return await this.publish(manifest);
    } catch (error) {
      throw toStoreError('written', error);
    } finally {
      this.records.end();
      this.state = 'idle';
    }
  }

  abort(): void {
    if (this.state === 'committing') this.isAborted = true;
    if (this.state !== 'open') return;
    this.records.end();
    this.state = 'idle';
  }

  compact(maxBytes: number): number {
    return this.compaction.compact(maxBytes);
  }

  get compactionFailure(): StoreError | null {
    return this.compaction.failure;
  }

  /**
   * Reads every record of the checkpoint that was opened, before anything is put, except those of
   * `soundLeaves` (check-records.ts).
   */
  check(soundLeaves?: Set<string>): Generator<CheckProgress | CheckFinding> {
    return checkRecords(this.records, soundLeaves);
  }

  sizes(): RecordSizes {
    const { usage } = this.records;
    return {
      recordCount: usage.recordCount,
      fileBytes: this.folder.sizeBytes(),
      liveBytes: usage.liveBytes,
    };
  }

  get indexBytes(): number {
    return this.records.index.residentBytes;
  }

  /** The checkpoints that can be opened, newest first. */
  get retained(): readonly RetainedCheckpoint[] {
    return this.checkpoints;
  }

  close(): void {
    this.records.log.close();
  }

  /** A store that is only read leaves the folder as it is. */
  private beforeWriting(): void {
    if (this.hasWritten) return;
    this.hasWritten = true;
    ifPossible(() => this.removeUnusedSegments());
  }

  /** Moves everything out of segments that the device did not confirm. */
  private leaveSuspects(): void {
    const { log, usage } = this.records;
    const suspects = [...log.suspectSegments].filter((segment) => usage.bytesIn(segment) > 0);
    if (suspects.length === 0) return;
    log.flush();
    for (const segment of suspects) this.emptySuspect(segment);
  }

  private emptySuspect(suspect: number): void {
    try {
      this.compaction.empty(suspect);
      this.unreadSuspects.delete(suspect);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // A device that fails for a moment has lost nothing, but one that still fails has.
      const isFirst = !this.unreadSuspects.has(suspect);
      this.unreadSuspects.add(suspect);
      throw error.isTransient && isFirst ? error : new LostRecordsError(error);
    }
  }

  private manifestOf({ head, ...description }: CheckpointHead): Manifest {
    const { log, index, usageAsOf } = this.records;
    if (usageAsOf === null) throw new Error('no checkpoint is open');
    this.sequence++;
    const roots = new Map(index.roots());
    const segments = Array.from(usageAsOf.segments, ([segment, liveBytes]) => {
      return { segment, endBytes: log.endOf(segment), liveBytes };
    });
    return {
      description: {
        ...description,
        sequence: this.sequence,
        recordCount: usageAsOf.recordCount,
        segments,
        headBytes: head.length,
        roots: Array.from(roots, ([space, { length }]) => ({ space, sizeBytes: length })),
      },
      head,
      roots,
    };
  }

  private async publish(manifest: Manifest): Promise<boolean> {
    const { log } = this.records;
    const { slot, timeMs, segments } = manifest.description;
    log.flush();
    await log.sync();
    await this.guard();
    if (this.isAborted) return false;
    // Before the new one is there: a kill in between must not leave a newer one that is obsolete.
    await this.removeObsolete();
    const file = this.folder.fileOf(manifest);
    this.obsolete = [file];
    await this.folder.publish(file.name, manifest);
    if (this.isAborted) {
      await this.removeObsolete();
      return false;
    }
    this.obsolete = [];
    this.checkpoints = [{ name: file.name, slot, timeMs, segments }, ...this.checkpoints];
    await this.removeOld();
    return true;
  }

  private async removeObsolete(): Promise<void> {
    await this.folder.remove(this.obsolete.map(({ name }) => name));
    this.obsolete = [];
  }

  /** What cannot be removed now is removed after a later checkpoint. */
  private async removeOld(): Promise<void> {
    const retained = retainedCheckpoints(this.checkpoints);
    const old = this.checkpoints.filter((each) => !retained.includes(each));
    try {
      await this.folder.remove(old.map(({ name }) => name));
    } catch (error) {
      if (!isTransientError(error)) throw error;
      return;
    }
    this.checkpoints = retained;
    ifPossible(() => this.removeUnusedSegments());
  }

  /** Removes segments that neither the newest content nor a checkpoint needs. */
  private removeUnusedSegments(): void {
    const { log, usage } = this.records;
    // Bytes that are not written yet would find their file removed.
    if (log.unwrittenBytes > 0) return;
    const used = new Set([log.currentSegment, ...usage.segments.keys()]);
    for (const { segments } of this.checkpoints)
      for (const each of segments) used.add(each.segment);
    for (const { start } of this.obsolete) {
      if (start.kind !== 'described') continue;
      for (const { segment } of start.description.segments) used.add(segment);
    }
    for (const segment of this.folder.segments()) {
      if (used.has(segment)) continue;
      log.remove(segment);
      this.compaction.forget(segment);
    }
  }
}

/** Leaves for later what a failing device does not permit now. */
function ifPossible(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isTransientError(error)) throw error;
  }
}
