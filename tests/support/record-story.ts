import fc from 'fast-check';
import { expect } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import { asSlot } from '../../src/model/units.ts';
import type { FileAccess } from '../../src/store/checkpoints/file-access.ts';
import type { FileRecordStore } from '../../src/store/checkpoints/file-record-store.ts';
import { openRecords } from '../../src/store/checkpoints/open-records.ts';
import { CrashError } from './unreliable-files.ts';

/** So small that a story of some dozen acts fills segments, splits content and drops leaves. */
export const SMALL_SIZES = {
  segmentBytes: 1_024,
  bufferBytes: 128,
  openFilesMax: 2,
  leavesMax: 2,
  leavesPerTurn: 1,
  pieceBytes: 64,
};

/** One thing that is done with a store. */
export interface RecordAct {
  readonly kind: (typeof ACT_KINDS)[number];
  readonly space: number;
  readonly id: number;
  /** Length of the content, number of bytes to compact, or turns before an abort. */
  readonly size: number;
  readonly filling: number;
}

const ACT_KINDS = [
  ...(['put', 'put', 'put', 'put', 'putAsOf', 'putAsOf', 'delete'] as const),
  ...(['deleteAsOf', 'begin', 'begin'] as const),
  ...(['commit', 'commit', 'commit', 'abort', 'abortedCommit', 'compact', 'settle'] as const),
];

export const anyAct: fc.Arbitrary<RecordAct> = fc.record({
  kind: fc.constantFrom(...ACT_KINDS),
  space: fc.constantFrom(0, 7, 65_535),
  // In four leaves, the last of which is far from the others.
  id: fc.oneof(fc.nat(3), fc.integer({ min: 510, max: 514 }), fc.constantFrom(1_030, 20_000)),
  // One record, its longest content, and pieces of a longer one.
  size: fc.oneof(fc.nat(64), fc.constantFrom(0, 64, 65, 128, 200, 512)),
  filling: fc.nat(255),
});

type Content = Map<string, string>;

/** A checkpoint that may be opened, and what it contains. */
interface ExpectedCheckpoint {
  readonly slot: number;
  readonly content: Content;
  /** Whether the commit said so; otherwise it may or may not be there. */
  isCommitted: boolean;
}

/**
 * Does the same with a store and with a Map that remembers its content at each begin. Time passes
 * quickly, so that old checkpoints are removed.
 */
export class RecordStory {
  store: FileRecordStore;
  private readonly current: Content;
  private readonly checkpoints: ExpectedCheckpoint[];
  /** The content as of the begin of the open checkpoint, and what is newer. */
  private asOf: { content: Content; newer: Set<string> } | null = null;
  private slot: number;
  private running: Promise<void> | null = null;
  failedCommits = 0;

  /** Opens a store, which must contain what an earlier story may have left. */
  constructor(files: FileAccess, earlier: RecordStory | null = null, maxSlot?: number) {
    const opened = openRecords(files, {
      rules: 'story',
      sizes: SMALL_SIZES,
      ...(maxSlot === undefined ? {} : { maxSlot: asSlot(maxSlot) }),
    });
    if (opened.kind !== 'opened') throw new Error(opened.reason);
    this.store = opened.store;
    const slot = opened.checkpoint?.slot ?? 0;
    const expected = earlier?.checkpointAt(slot);
    const content = expected?.content ?? new Map();
    this.current = new Map(content);
    const older = earlier?.checkpoints.filter((each) => each.slot <= slot) ?? [];
    // One whose commit did not end may be there as well.
    this.checkpoints = older.map((each) =>
      each === expected ? { ...each, isCommitted: true } : each,
    );
    this.slot = Math.max(slot, earlier?.slot ?? 0);
    if (earlier !== null && maxSlot === undefined) {
      const newest = earlier.checkpoints.findLast(({ isCommitted }) => isCommitted);
      expect(slot, 'the newest committed checkpoint or a newer one').toBeGreaterThanOrEqual(
        newest?.slot ?? 0,
      );
    }
    if (opened.checkpoint !== null) expect(expected, `slot ${slot}`).toBeDefined();
    this.expectContent();
  }

  /** Slots of the checkpoints that were committed. */
  get committedSlots(): number[] {
    return this.checkpoints.filter((each) => each.isCommitted).map((each) => each.slot);
  }

  /** The slot of the last checkpoint that was to be committed. */
  get lastSlot(): number {
    return this.slot;
  }

  async run(acts: readonly RecordAct[]): Promise<void> {
    try {
      for (const act of acts) await this.act(act);
    } finally {
      await this.running;
    }
  }

  async act(act: RecordAct): Promise<void> {
    const { kind, space, id, size, filling } = act;
    const key = `${space} ${id}`;
    const bytes = Buffer.alloc(size, filling);
    if (kind === 'put') {
      this.store.put(space, id, bytes);
      this.current.set(key, bytes.toString('hex'));
      this.asOf?.newer.add(key);
      bytes.fill(0xee);
    } else if (kind === 'delete') {
      this.store.delete(space, id);
      this.current.delete(key);
      this.asOf?.newer.add(key);
    } else if (kind === 'compact') this.store.compact(size);
    else if (kind === 'settle') this.orFailed(() => this.store.settle());
    else if (kind === 'putAsOf') this.putAsOf(act);
    else if (kind === 'deleteAsOf') this.deleteAsOf(act);
    else await this.checkpoint(act);
    this.expectRecord(space, id);
  }

  /** Everything can be read, and nothing else is counted. */
  expectContent(): void {
    for (const [key, hex] of this.current) {
      const [space = 0, id = 0] = key.split(' ').map(Number);
      expect(hexOf(this.store.read(space, id)), key).toBe(hex);
    }
    expect(this.store.sizes().recordCount).toBe(this.current.size);
  }

  /** Deletes everything and commits. */
  async clear(): Promise<void> {
    this.store.abort();
    this.asOf = null;
    for (const key of this.current.keys()) {
      const [space = 0, id = 0] = key.split(' ').map(Number);
      this.store.delete(space, id);
    }
    this.current.clear();
    this.begin();
    await this.commit();
  }

  private async checkpoint({ kind, size }: RecordAct): Promise<void> {
    if (kind === 'begin') {
      await this.running;
      if (this.asOf === null) this.orFailed(() => this.begin());
    } else if (kind === 'commit' && this.asOf !== null) {
      this.running = this.commit();
      // A crash also ends the act that runs meanwhile; `run` waits for this one.
      this.running.catch(() => undefined);
    } else if (kind === 'abort' && this.asOf !== null) {
      this.store.abort();
      this.asOf = null;
    } else if (kind === 'abortedCommit' && this.asOf !== null) {
      const committing = this.commit();
      for (let turn = 0; turn < size % 16; turn++) await Promise.resolve();
      this.store.abort();
      await committing;
    }
  }

  private begin(): void {
    this.store.begin();
    this.asOf = { content: new Map(this.current), newer: new Set() };
  }

  private putAsOf({ space, id, size, filling }: RecordAct): void {
    const key = `${space} ${id}`;
    if (this.asOf === null || this.asOf.newer.has(key)) return;
    const bytes = Buffer.alloc(size, filling);
    this.store.putAsOf(space, id, bytes);
    this.current.set(key, bytes.toString('hex'));
    this.asOf.content.set(key, bytes.toString('hex'));
  }

  private deleteAsOf({ space, id }: RecordAct): void {
    const key = `${space} ${id}`;
    if (this.asOf === null || this.asOf.newer.has(key)) return;
    this.store.deleteAsOf(space, id);
    this.current.delete(key);
    this.asOf.content.delete(key);
  }

  /** The caller may go on before it is committed. */
  private async commit(): Promise<void> {
    const { asOf } = this;
    if (asOf === null) return;
    this.asOf = null;
    this.slot++;
    const slot = asSlot(this.slot);
    const checkpoint = { slot: this.slot, content: asOf.content, isCommitted: false };
    this.checkpoints.push(checkpoint);
    const head = { slot, blockhash: null, timeMs: this.slot * 600_000, rules: 'story' };
    try {
      checkpoint.isCommitted = await this.store.commit({ ...head, head: Buffer.from('head') });
    } catch (error) {
      if (!(error instanceof StoreError) || error instanceof CrashError) throw error;
      this.failedCommits++;
    }
  }

  private orFailed(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  private checkpointAt(slot: number): ExpectedCheckpoint | undefined {
    return this.checkpoints.findLast((each) => each.slot === slot);
  }

  private expectRecord(space: number, id: number): void {
    const read = this.store.read(space, id);
    expect(hexOf(read)).toBe(this.current.get(`${space} ${id}`) ?? null);
  }
}

function hexOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('hex');
}

function isPassing(error: unknown): boolean {
  return error instanceof StoreError && error.isTransient && !(error instanceof CrashError);
}
