import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { WriteGuard } from '../writes/slot-writer.ts';
import { DamagedFileError, isSystemError, readFrames, writeFrames } from './snapshot-file.ts';

/** The head of a snapshot, which describes its state. */
export interface SnapshotHead {
  /** Everything that its bytes and their meaning depend on, as text. */
  readonly rules: string;
  /** The epoch of the fold whose state it is. */
  readonly epoch: number;
  /** The last slot in it, and the hash of its block, null when unknown. */
  readonly slot: Slot;
  readonly blockhash: string | null;
  /** Slots in it that older decoder versions decoded. */
  readonly olderSlots: number;
}

/**
 * An open snapshot. Read `chunks` once, to the end, where the last check happens. A chunk is
 * invalid once the next one is requested.
 */
export interface ReadSnapshot {
  readonly head: SnapshotHead;
  readonly chunks: Iterable<Uint8Array>;
  /** Closes the file when the chunks are not read to the end. */
  close(): void;
}

/** A state on disk that is not a snapshot yet. */
export interface SnapshotDraft {
  readonly file: string;
  readonly head: SnapshotHead;
  readonly digest: string;
}

const KEPT = 2;
const NAME = /^snapshot-(\d{1,16})-([0-9a-f]{64})\.bin$/;
const UNFINISHED = 'unfinished.tmp';
/** The draft file of the shadow fold's process. */
export const SHADOW_DRAFT = 'shadow.tmp';

/**
 * Snapshots of the state in their own folder, `snapshot-<slot>-<digest>.bin`. The newest two are
 * kept. A file gets its name once it is complete and durable, so a kill leaves the earlier ones
 * intact. Snapshots only save time: a damaged one is skipped and never causes a failure.
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
   * Writes a snapshot, as `draft` and `keep` do, and returns its name. Chunks are requested as they
   * are written, and other work runs in between. Throws StoreError when the disk is full or fails
   * or when this process may no longer write; earlier snapshots then stay unchanged.
   */
  async write(head: SnapshotHead, chunks: Iterable<Uint8Array>): Promise<string> {
    return this.keep(await this.draft(head, chunks, UNFINISHED));
  }

  /**
   * Writes a state to a draft file, which no reader uses, without checking the right to write.
   * Concurrent drafts need different files. Throws StoreError.
   */
  async draft(
    head: SnapshotHead,
    chunks: Iterable<Uint8Array>,
    file: string,
  ): Promise<SnapshotDraft> {
    const path = join(this.folder, file);
    return this.orNothing(path, head, async () => {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      // An interrupted process may still have an earlier draft open.
      rmSync(path, { force: true });
      const digest = await writeFrames(path, withHead(head, chunks));
      return { file, head, digest };
    });
  }

  /**
   * Makes a draft the newest snapshot, removes all but two snapshots, refused ones first, and
   * returns its name. Throws StoreError.
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

  /** Names of all snapshots, newest first. */
  names(): string[] {
    return this.files()
      .filter((name) => NAME.test(name))
      .sort(newestFirst);
  }

  /**
   * Opens a snapshot. Throws DamagedFileError here, or while the chunks are read, when it differs
   * from what was written.
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

  /** Marks a snapshot as unusable: it is removed when the next one is written. */
  refuse(name: string): void {
    this.useless.add(name);
  }

  /** Removes the draft at `path` when the work fails. */
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
      // The folder is created with the first snapshot.
      if (isSystemError(error) && error.code === 'ENOENT') return [];
      throw error;
    }
  }
}

function* withHead(head: SnapshotHead, chunks: Iterable<Uint8Array>): Iterable<Uint8Array> {
  yield Buffer.from(JSON.stringify(head));
  yield* chunks;
}

/** The bytes were checked before; `rules` tells whether this version can use the snapshot. */
function parseHead(bytes: Buffer): SnapshotHead {
  return JSON.parse(bytes.toString());
}

/** A draft that cannot be removed is overwritten by the next. */
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

/** Makes a new file name in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
