import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { WriteGuard } from '../writes/slot-writer.ts';
import { DamagedFileError, isSystemError, readFrames, writeFrames } from './snapshot-file.ts';

/** What a snapshot is of. */
export interface SnapshotHead {
  /** Everything that its bytes and what they mean depend on, in words. */
  readonly rules: string;
  /** Number of the fold whose state it is. */
  readonly epoch: number;
  /** The last slot that is in it; with its block's hash, null where the record does not tell. */
  readonly slot: Slot;
  readonly blockhash: string | null;
  /** Slots in it that older decoders read. */
  readonly olderSlots: number;
}

/**
 * A snapshot that is being read: `chunks` once, to the end, where the last check is made. Each is
 * gone when the next one is asked for.
 */
export interface ReadSnapshot {
  readonly head: SnapshotHead;
  readonly chunks: Iterable<Uint8Array>;
  /** For whoever does not read to the end. */
  close(): void;
}

/** A state on the disk that is not a snapshot yet. */
export interface SnapshotDraft {
  readonly file: string;
  readonly head: SnapshotHead;
  readonly digest: string;
}

const KEPT = 2;
const NAME = /^snapshot-(\d{1,16})-([0-9a-f]{64})\.bin$/;
const UNFINISHED = 'unfinished.tmp';
/** The draft of a process of its own. */
export const SHADOW_DRAFT = 'shadow.tmp';

/**
 * Snapshots of the state in a folder of their own, `snapshot-<slot>-<digest>.bin`, the newest two. A
 * file gets its name when it is whole and on the disk: a kill before leaves the ones before it. They
 * only save time, so a damaged one is passed over and never stops anything.
 */
export class Snapshots {
  readonly folder: string;
  private readonly guard: WriteGuard;
  private readonly useless = new Set<string>();

  constructor(folder: string, guard: WriteGuard = async () => undefined) {
    this.folder = folder;
    this.guard = guard;
  }

  /**
   * Keeps a state, as `draft` and `keep` do, and returns its name. Chunks are asked for as they are
   * written, with turns for others in between. Throws StoreError for a disk that is full or failing
   * and when this process may not write any more; the earlier ones are untouched then.
   */
  async write(head: SnapshotHead, chunks: Iterable<Uint8Array>): Promise<string> {
    return this.keep(await this.draft(head, chunks, UNFINISHED));
  }

  /**
   * Writes a state to a file that nobody reads yet, whoever may write in the folder. Of those who
   * draft at the same time each needs a file of its own. Throws StoreError.
   */
  async draft(
    head: SnapshotHead,
    chunks: Iterable<Uint8Array>,
    file: string,
  ): Promise<SnapshotDraft> {
    const path = join(this.folder, file);
    return this.orNothing(path, head, async () => {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      // Somebody who was broken off may hold the one of before.
      rmSync(path, { force: true });
      const digest = await writeFrames(path, withHead(head, chunks));
      return { file, head, digest };
    });
  }

  /**
   * Makes a draft the newest snapshot, drops all but two, useless ones first, and returns its name.
   * Throws StoreError.
   */
  async keep({ file, head, digest }: SnapshotDraft): Promise<string> {
    const path = join(this.folder, file);
    return this.orNothing(path, head, async () => {
      await this.guard();
      const name = `snapshot-${head.slot}-${digest}.bin`;
      await rename(path, join(this.folder, name));
      await syncFolder(this.folder);
      this.prune();
      return name;
    });
  }

  /** Names of the snapshots there are, newest first. */
  names(): string[] {
    return this.files()
      .filter((name) => NAME.test(name))
      .sort(newestFirst);
  }

  /**
   * Opens one. Throws DamagedFileError here or while the chunks are read when it is not exactly what
   * was written.
   */
  open(name: string): ReadSnapshot {
    const [, slot, digest = ''] = NAME.exec(name) ?? [];
    const frames = readFrames(join(this.folder, name), digest);
    const first = frames.next();
    if (first.done === true) throw new DamagedFileError('it is empty');
    const head = parseHead(first.value);
    if (head.slot !== Number(slot)) throw new DamagedFileError('its name is that of another one');
    return { head, chunks: frames, close: () => frames.return(undefined) };
  }

  /** One that nobody can use: it goes when the next one is written. */
  refuse(name: string): void {
    this.useless.add(name);
  }

  /** The draft at `path` goes when the work fails. */
  private async orNothing<Done>(
    path: string,
    { slot }: SnapshotHead,
    work: () => Promise<Done>,
  ): Promise<Done> {
    try {
      return await work();
    } catch (error) {
      removeDraft(path);
      if (!isSystemError(error)) throw error;
      throw new StoreError(`No snapshot of slot ${slot} can be kept: ${error.message}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
  }

  private prune(): void {
    const names = this.names();
    const kept = names.filter((name) => !this.useless.has(name)).slice(0, KEPT);
    for (const name of names) {
      if (!kept.includes(name)) rmSync(join(this.folder, name), { force: true });
    }
    this.useless.clear();
  }

  private files(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      // Before the first one there is no folder.
      if (isSystemError(error) && error.code === 'ENOENT') return [];
      throw error;
    }
  }
}

function* withHead(head: SnapshotHead, chunks: Iterable<Uint8Array>): Iterable<Uint8Array> {
  yield Buffer.from(JSON.stringify(head));
  yield* chunks;
}

/** Its bytes are as they were written; of which version is told by the rules alone. */
function parseHead(bytes: Buffer): SnapshotHead {
  return JSON.parse(bytes.toString());
}

/** One that a read-only file system keeps is overwritten by the next. */
function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

function newestFirst(one: string, other: string): number {
  return slotOf(other) - slotOf(one) || (one < other ? -1 : 1);
}

function slotOf(name: string): number {
  return Number(NAME.exec(name)?.[1]);
}

/** Makes the new name in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
