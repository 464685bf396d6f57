import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** An operation on a file below a folder. */
export interface FileOperation {
  readonly kind: 'read' | 'create' | 'write' | 'sync' | 'rename' | 'remove' | 'link';
  /** The file, by its earlier name if it is renamed or linked. */
  readonly path: string;
  /** What a write would write; null for others. */
  readonly bytes: Uint8Array | null;
  /** How many bytes a read asks for or a write would write; 0 for others. */
  readonly sizeBytes: number;
}

const PATCHED = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'fsync',
  'fsyncSync',
  'renameSync',
  'rmSync',
  'linkSync',
] as const;

/**
 * Calls `before` before each operation on a file below a folder, for all modules that are loaded
 * later; what it throws is the failure of the operation. An fsync begins when `delaySync` resolves,
 * while the thread goes on. Returns a function that ends it.
 */
export function interceptFiles(
  folder: string,
  before: (operation: FileOperation, doFirst: (length: number) => void) => void,
  delaySync?: () => Promise<void>,
): () => void {
  const real = Object.fromEntries(PATCHED.map((name) => [name, fs[name]])) as unknown as Pick<
    typeof fs,
    (typeof PATCHED)[number]
  >;
  const files = new Map<number, string>();
  const nothing = () => undefined;
  const at = (kind: FileOperation['kind'], path: fs.PathLike, sizeBytes = 0) => {
    before({ kind, path: String(path), bytes: null, sizeBytes }, nothing);
  };
  const isBelow = (path: fs.PathLike) => String(path).startsWith(folder);
  Object.assign(fs, {
    openSync(path: fs.PathLike, flags: string, mode?: number) {
      if (isBelow(path) && flags.startsWith('w')) at('create', path);
      const file = real.openSync(path, flags, mode);
      if (isBelow(path)) files.set(file, String(path));
      return file;
    },
    closeSync(file: number) {
      files.delete(file);
      real.closeSync(file);
    },
    readSync(file: number, bytes: Buffer, offset: number, length: number, position: number) {
      const path = files.get(file);
      if (path !== undefined) at('read', path, length);
      return real.readSync(file, bytes, offset, length, position);
    },
    writeSync(file: number, bytes: Buffer, offset: number, length: number, position: number) {
      const path = files.get(file);
      if (path !== undefined) {
        before({ kind: 'write', path, bytes, sizeBytes: length }, (first) => {
          real.writeSync(file, bytes, offset, first, position);
        });
      }
      return real.writeSync(file, bytes, offset, length, position);
    },
    fsync(file: number, done: (error: Error | null) => void) {
      const path = files.get(file);
      try {
        if (path !== undefined) at('sync', path);
      } catch (error) {
        done(error as Error);
        return;
      }
      if (path === undefined || delaySync === undefined) real.fsync(file, done);
      else delaySync().then(() => real.fsync(file, done), done);
    },
    fsyncSync(file: number) {
      const path = files.get(file);
      if (path !== undefined) at('sync', path);
      real.fsyncSync(file);
    },
    renameSync(from: fs.PathLike, to: fs.PathLike) {
      if (isBelow(from)) at('rename', from);
      real.renameSync(from, to);
    },
    rmSync(path: fs.PathLike, options: fs.RmOptions) {
      if (isBelow(path)) at('remove', path);
      real.rmSync(path, options);
    },
    linkSync(from: fs.PathLike, to: fs.PathLike) {
      if (isBelow(from)) at('link', from);
      real.linkSync(from, to);
    },
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
}

/** A failure of the device, as the operating system reports it. */
export function deviceError(code: string): Error {
  return Object.assign(new Error(`${code}: planned`), { code, syscall: 'planned' });
}
