import type { FileAccess, FileSpan } from '../../src/store/checkpoints/file-access.ts';

/** The machine lost power: nothing works any more. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** What of the bytes and names that were never made durable is there after a crash. */
export type Survival = 'nothing' | 'everything' | 'parts';

interface WrittenBytes {
  readonly position: number;
  readonly bytes: Uint8Array;
}

class FileNode {
  bytes: Buffer = Buffer.alloc(0);
  durable: Buffer = Buffer.alloc(0);
  /** Written since the last sync, in order. */
  unsynced: WrittenBytes[] = [];
}

/** A name that is given to a file, or removed. A new name replaces an old one in one step. */
interface NameChange {
  readonly name: string | null;
  readonly node: FileNode | null;
  readonly removed: string | null;
}

/** A failure at a step, counted from 1: a crash, or an error with a code of the system. */
export interface PlannedFailure {
  readonly step: number;
  readonly code: string;
  /** Steps that fail from there on; a crash lasts forever. */
  readonly steps?: number;
}

/** Bytes of a file whose reads fail with a code of the system. */
export interface UnreadableBytes {
  readonly name: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly code: string;
}

/**
 * Files in memory that know what a crash would leave. Steps are everything that changes files or
 * makes them durable. A write that fails may have written its first half; bytes whose sync failed
 * can be read, but no later sync makes them durable, as on Linux.
 */
export class UnreliableFiles implements FileAccess {
  readonly folder = '/checkpoints';
  /** The failure to come: `crash` as its code for a crash. */
  failure: PlannedFailure | null = null;
  /** As long as this is set, reads fail that contain one of these bytes. */
  unreadable: UnreadableBytes | null = null;
  /** So many syncs fail from now on, and what they were to make durable is zeros afterwards. */
  losingSyncs = 0;
  /** Bytes that a write takes at most. */
  writeMax = Number.POSITIVE_INFINITY;
  steps = 0;
  private names = new Map<string, FileNode>();
  private durableNames = new Map<string, FileNode>();
  private nameChanges: NameChange[] = [];
  private readonly openFiles = new Map<number, FileNode>();
  private readonly readOnly = new Set<number>();
  private lastFile = 0;

  list(): string[] {
    this.assertRunning();
    return [...this.names.keys()];
  }

  sizeOf(name: string): number | null {
    this.assertRunning();
    return this.names.get(name)?.bytes.length ?? null;
  }

  open(name: string): number {
    this.assertRunning();
    const node = this.names.get(name);
    if (node === undefined) throw systemError('ENOENT');
    const file = this.opened(node);
    this.readOnly.add(file);
    return file;
  }

  create(name: string): number {
    this.step();
    if (this.names.has(name)) throw systemError('EEXIST');
    const node = new FileNode();
    this.change({ name, node, removed: null });
    return this.opened(node);
  }

  close(file: number): void {
    this.openFiles.delete(file);
  }

  read(file: number, { bytes, position }: FileSpan): number {
    this.assertRunning();
    const node = this.nodeOf(file);
    const { unreadable } = this;
    if (unreadable !== null && this.names.get(unreadable.name) === node) {
      const isTouched = position < unreadable.to && position + bytes.length > unreadable.from;
      if (isTouched) throw systemError(unreadable.code);
    }
    return node.bytes.copy(bytes, 0, position);
  }

  write(file: number, span: FileSpan): number {
    const half = Math.floor(span.bytes.length / 2);
    try {
      this.step();
    } catch (error) {
      if (half > 0) this.writePart(file, span, half);
      throw error;
    }
    return this.writePart(file, span, Math.min(span.bytes.length, this.writeMax));
  }

  async sync(file: number): Promise<void> {
    const node = this.nodeOf(file);
    const written = [...node.unsynced];
    if (this.losingSyncs > 0) {
      this.losingSyncs--;
      for (const { position, bytes } of written) {
        node.bytes.fill(0, position, position + bytes.length);
      }
      node.unsynced = [];
      throw systemError('EIO');
    }
    try {
      this.step();
    } catch (error) {
      // What the device refused stays readable, but counts as written from now on.
      if (!(error instanceof CrashError)) node.unsynced = [];
      throw error;
    }
    await Promise.resolve();
    this.assertRunning();
    for (const each of written) node.durable = withBytes(node.durable, each);
    node.unsynced = node.unsynced.filter((each) => !written.includes(each));
  }

  async syncFolder(): Promise<void> {
    this.step();
    await Promise.resolve();
    this.assertRunning();
    this.durableNames = new Map(this.names);
    this.nameChanges = [];
  }

  rename(from: string, to: string): void {
    this.step();
    const node = this.names.get(from);
    if (node === undefined) throw systemError('ENOENT');
    this.change({ name: to, node, removed: from });
  }

  remove(name: string): void {
    this.step();
    if (this.names.has(name)) this.change({ name: null, node: null, removed: name });
  }

  /** Changes the content of a file, behind the back of whoever wrote it. */
  damage(name: string, change: (bytes: Buffer) => Buffer): void {
    const node = this.names.get(name);
    if (node === undefined) throw systemError('ENOENT');
    node.bytes = change(Buffer.from(node.bytes));
    node.durable = Buffer.from(node.bytes);
    node.unsynced = [];
  }

  /** Number of open files. */
  get openCount(): number {
    return this.openFiles.size;
  }

  /** The files after a crash. `draw` returns a number from 0 to below 1. */
  afterCrash(survival: Survival, draw: () => number): UnreliableFiles {
    const after = new UnreliableFiles();
    const names = new Map(this.durableNames);
    const shares = { nothing: () => 0, everything: () => 1, parts: draw };
    const share = shares[survival];
    // In any order: nothing is promised about names before the folder is made durable.
    for (const change of this.nameChanges) if (share() >= 0.3) applyTo(names, change);
    for (const [name, node] of names) {
      const survivor = new FileNode();
      let bytes = node.durable;
      for (const each of node.unsynced) {
        const part = each.bytes.subarray(0, portion(each.bytes.length, share()));
        bytes = withBytes(bytes, { position: each.position, bytes: part });
      }
      survivor.bytes = Buffer.from(bytes);
      survivor.durable = Buffer.from(bytes);
      after.names.set(name, survivor);
    }
    after.durableNames = new Map(after.names);
    return after;
  }

  private step(): void {
    this.steps++;
    const { failure } = this;
    if (failure === null || this.steps < failure.step) return;
    if (failure.code === 'crash') throw new CrashError();
    if (this.steps < failure.step + (failure.steps ?? 1)) throw systemError(failure.code);
  }

  private assertRunning(): void {
    const { failure } = this;
    if (failure?.code === 'crash' && this.steps >= failure.step) throw new CrashError();
  }

  private opened(node: FileNode): number {
    this.lastFile++;
    this.openFiles.set(this.lastFile, node);
    return this.lastFile;
  }

  private nodeOf(file: number): FileNode {
    const node = this.openFiles.get(file);
    if (node === undefined) throw systemError('EBADF');
    return node;
  }

  private change(change: NameChange): void {
    this.nameChanges.push(change);
    applyTo(this.names, change);
  }

  private writePart(file: number, { bytes, position }: FileSpan, length: number): number {
    const node = this.nodeOf(file);
    if (this.readOnly.has(file)) throw systemError('EBADF');
    const written = { position, bytes: Uint8Array.from(bytes.subarray(0, length)) };
    node.bytes = withBytes(node.bytes, written);
    node.unsynced.push(written);
    return length;
  }
}

function applyTo(names: Map<string, FileNode>, { name, node, removed }: NameChange): void {
  if (removed !== null) names.delete(removed);
  if (name !== null && node !== null) names.set(name, node);
}

function withBytes(content: Buffer, { position, bytes }: WrittenBytes): Buffer {
  const changed = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(changed);
  changed.set(bytes, position);
  return changed;
}

function portion(length: number, share: number): number {
  return Math.floor(length * share + 1e-9);
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: planned`), { code, syscall: 'planned' });
}
