import {
  assertRecordNumbers,
  type CheckpointHead,
  type RecordSizes,
  type RecordStore,
  type RetainedState,
} from '../../model/record-store.ts';

/**
 * Records in memory, for replays and tests: a checkpoint lasts as long as the store. Enforces what a
 * store of files takes for granted: that content as of the begin precedes newer content.
 */
export class MemoryRecordStore implements RecordStore {
  readonly unwrittenBytes = 0;
  readonly writeFailure = null;
  readonly compactionFailure = null;
  readonly indexBytes = 0;
  private readonly records = new Map<string, Uint8Array>();
  /** Records with newer content than the open checkpoint; null if none is open. */
  private newer: Set<string> | null = null;
  private committed = 0;
  private newest: RetainedState | null = null;

  /** Number of checkpoints that were committed. */
  get checkpointCount(): number {
    return this.committed;
  }

  read(space: number, id: number): Uint8Array | null {
    return this.records.get(keyOf(space, id)) ?? null;
  }

  put(space: number, id: number, bytes: Uint8Array): void {
    const key = keyOf(space, id);
    this.newer?.add(key);
    this.records.set(key, new Uint8Array(bytes));
  }

  delete(space: number, id: number): void {
    const key = keyOf(space, id);
    this.newer?.add(key);
    this.records.delete(key);
  }

  settle(): void {
    // Nothing waits for a device.
  }

  begin(): void {
    if (this.newer !== null) throw new Error('a checkpoint is open already');
    this.newer = new Set();
  }

  putAsOf(space: number, id: number, bytes: Uint8Array): void {
    this.records.set(this.keyAsOf(space, id), new Uint8Array(bytes));
  }

  deleteAsOf(space: number, id: number): void {
    this.records.delete(this.keyAsOf(space, id));
  }

  private keyAsOf(space: number, id: number): string {
    const key = keyOf(space, id);
    if (this.newer === null) throw new Error('no checkpoint is open');
    if (this.newer.has(key)) {
      throw new Error(`record ${id} of space ${space} has newer content already`);
    }
    return key;
  }

  /** The newest checkpoint alone. */
  get retained(): readonly RetainedState[] {
    return this.newest === null ? [] : [this.newest];
  }

  async commit({ slot, timeMs }: CheckpointHead): Promise<boolean> {
    if (this.newer === null) throw new Error('no checkpoint is open');
    this.newer = null;
    this.committed++;
    this.newest = { slot, timeMs };
    return true;
  }

  abort(): void {
    this.newer = null;
  }

  compact(_maxBytes: number): number {
    return 0;
  }

  sizes(): RecordSizes {
    let liveBytes = 0;
    for (const { length } of this.records.values()) liveBytes += length;
    return { recordCount: this.records.size, fileBytes: 0, liveBytes };
  }

  close(): void {
    this.records.clear();
  }
}

function keyOf(space: number, id: number): string {
  assertRecordNumbers(space, id);
  return `${space} ${id}`;
}
