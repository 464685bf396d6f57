import { isSystemError } from '../../lib/transient-error.ts';
import { type FileAccess, readFully } from './file-access.ts';
import {
  encodeManifest,
  type Manifest,
  type ManifestDescription,
  type ManifestStart,
  readManifest,
  readManifestStart,
} from './manifest.ts';
import { segmentName, segmentOf } from './segment-files.ts';

const NAME = /^checkpoint-(\d{1,16})-(\d{1,16})\.bin$/;
const UNFINISHED = 'checkpoint.tmp';

/** The slot of a manifest by its name, null for any other file. */
export function slotOfManifest(name: string): number | null {
  const slot = NAME.exec(name)?.[1];
  return slot === undefined ? null : Number(slot);
}

/** The file of a checkpoint. */
export interface CheckpointFile {
  readonly name: string;
  readonly slot: number;
  readonly sequence: number;
  readonly start: CheckpointStart;
}

/** `unread`: the device did not read it, and it may be all right. */
export type CheckpointStart =
  | ManifestStart
  | { readonly kind: 'unread'; readonly failure: NodeJS.ErrnoException };

/** The manifests of a folder, `checkpoint-<slot>-<sequence>.bin`. */
export class CheckpointFolder {
  private readonly access: FileAccess;

  constructor(access: FileAccess) {
    this.access = access;
  }

  /** Names of all checkpoints, newest first. */
  names(): string[] {
    return this.numbered().map(({ name }) => name);
  }

  /** All checkpoints, newest first. */
  files(): CheckpointFile[] {
    return this.numbered().map((file) => ({ ...file, start: this.startOf(file) }));
  }

  /** Null if the file differs from what was written. */
  read(name: string): Manifest | null {
    return this.reading(name, readManifest) ?? null;
  }

  /** A segment that is missing or shorter than the checkpoint needs, by name; null if none is. */
  missingSegment({ segments }: ManifestDescription): string | null {
    for (const { segment, endBytes } of segments) {
      const name = segmentName(segment);
      if ((this.access.sizeOf(name) ?? 0) < endBytes) return name;
    }
    return null;
  }

  /** Numbers of all segments that have a file. */
  segments(): number[] {
    return this.access
      .list()
      .map(segmentOf)
      .filter((segment) => segment !== null);
  }

  /** Bytes of all files. */
  sizeBytes(): number {
    const sizes = this.access.list().map((name) => this.access.sizeOf(name) ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** The file that a manifest will be in. */
  fileOf({ description }: Manifest): CheckpointFile {
    const { slot, sequence } = description;
    const name = `checkpoint-${slot}-${sequence}.bin`;
    return { name, slot, sequence, start: { kind: 'described', description } };
  }

  /**
   * Writes a manifest under a name. A kill leaves all of it or nothing. Names of segments become
   * durable with its own; a manifest without a segment is not used.
   */
  async publish(name: string, manifest: Manifest): Promise<void> {
    this.access.remove(UNFINISHED);
    const file = this.access.create(UNFINISHED);
    try {
      this.write(file, encodeManifest(manifest));
      await this.access.sync(file);
    } finally {
      this.access.close(file);
    }
    this.access.rename(UNFINISHED, name);
    await this.access.syncFolder();
  }

  /** Removes files, durably. */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) this.access.remove(name);
    if (names.length > 0) await this.access.syncFolder();
  }

  private write(file: number, bytes: Uint8Array): void {
    for (let position = 0; position < bytes.length; ) {
      position += this.access.write(file, { bytes: bytes.subarray(position), position });
    }
  }

  private numbered(): Omit<CheckpointFile, 'start'>[] {
    const files = this.access.list().flatMap((name) => {
      const [, slot, sequence] = NAME.exec(name) ?? [];
      return slot === undefined ? [] : [{ name, slot: Number(slot), sequence: Number(sequence) }];
    });
    return files.sort((one, other) => other.slot - one.slot || other.sequence - one.sequence);
  }

  private startOf({ name, slot, sequence }: Omit<CheckpointFile, 'start'>): CheckpointStart {
    let start: ManifestStart | null;
    try {
      start = this.reading(name, readManifestStart);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { kind: 'unread', failure: error };
    }
    if (start?.kind !== 'described') return start ?? { kind: 'damaged' as const };
    const { description } = start;
    const isOwnName = description.slot === slot && description.sequence === sequence;
    return isOwnName ? start : { kind: 'damaged' as const };
  }

  private reading<Result>(
    name: string,
    work: (read: (position: number, length: number) => Buffer | null, sizeBytes: number) => Result,
  ): Result | null {
    const sizeBytes = this.access.sizeOf(name);
    if (sizeBytes === null) return null;
    const file = this.access.open(name);
    try {
      return work((position, length) => {
        if (position + length > sizeBytes) return null;
        const bytes = Buffer.alloc(length);
        return readFully(this.access, file, { bytes, position }) ? bytes : null;
      }, sizeBytes);
    } finally {
      this.access.close(file);
    }
  }
}
