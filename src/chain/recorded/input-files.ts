import { existsSync, globSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type SourceProblem, UsageError } from '../../model/errors.ts';

/** An input file, with what its name implies. */
export interface InputFile {
  /** As the user named it, or found under a path the user named. */
  readonly origin: string;
  readonly sizeBytes: number;
  /** One document, or one document per line. */
  readonly format: 'document' | 'lines';
  /** The slot implied by a name such as `326027759.json` or `block_326027759.json.zst`. */
  readonly namedSlot: number | null;
}

export interface Inputs {
  /** Sorted by origin, each file once even if named several times. */
  readonly files: readonly InputFile[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Finds the files for paths, folders and globs. Folders are searched recursively for `.json`,
 * `.jsonl`, `.ndjson`, for `.pb` and `.bincode` (both read as protobuf blocks) and names without
 * extension, each also with `.gz` or `.zst`; hidden files are skipped. A file that is named
 * explicitly is read under any name. Throws UsageError when no path exists.
 */
export function findInputs(paths: readonly string[]): Inputs {
  const search = new InputSearch();
  // Sorted, so the order of the arguments has no effect.
  for (const path of paths.toSorted()) search.add(path);
  if (!search.hasFound) {
    throw new UsageError(`nothing to read: no file or folder at ${paths.join(', ') || 'no path'}`);
  }
  return { files: search.files(), problems: search.problems() };
}

const CANDIDATE = /\.(?:json|jsonl|ndjson|pb|bincode)$/i;
/** An extension begins with a letter; `name.29868c83` has none. */
const EXTENSION = /.\.[a-z][a-z0-9]*$/i;
const COMPRESSION = /\.(?:gz|zst)$/i;
const LINES = /\.(?:jsonl|ndjson)$/i;
const NAMED_SLOT = /^(?:(\d{6,})\.(?:json|pb|bincode)|block[_-](\d{6,})(?!\d).*)$/i;
const NOTHING_THERE = 'there is no such file or folder';
const GLOB = /[*?[\]{}]/;

function isCandidate(name: string): boolean {
  const plain = name.replace(COMPRESSION, '');
  return !name.startsWith('.') && (CANDIDATE.test(plain) || !EXTENSION.test(plain));
}

class InputSearch {
  hasFound = false;
  private readonly found = new Map<string, InputFile>();
  private readonly faults: SourceProblem[] = [];
  private readonly folders = new Set<string>();

  files(): InputFile[] {
    return [...this.found.values()].sort((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  problems(): SourceProblem[] {
    return this.faults.sort((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  add(path: string): void {
    const matches = existsSync(path) ? [path] : GLOB.test(path) ? globSync(path).sort() : [];
    if (matches.length === 0) this.fault(path, 'unreadable', NOTHING_THERE);
    for (const match of matches) this.addExisting(match, true);
  }

  private addExisting(path: string, isNamed: boolean): void {
    this.hasFound = true;
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) this.addFolder(path, isNamed);
      else if (stats.isFile()) this.addFile(path, stats.size);
      else if (isNamed) this.fault(path, 'unreadable', 'neither a file nor a folder');
    } catch (error) {
      this.faultOf(path, error);
    }
  }

  /** Adds a folder once, even if symbolic links lead back into it. */
  private addFolder(path: string, isNamed: boolean): void {
    const real = realpathSync(path);
    if (this.folders.has(real)) return;
    this.folders.add(real);
    const before = this.found.size;
    const entries = readdirSync(path, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const isWanted = entry.isDirectory() ? !entry.name.startsWith('.') : isCandidate(entry.name);
      if (isWanted) this.addExisting(join(path, entry.name), false);
    }
    if (isNamed && this.found.size === before) {
      this.fault(path, 'not-a-record', 'the folder contains no readable file');
    }
  }

  /**
   * A file with several names is listed under the first in order, independent of which was found
   * first.
   */
  private addFile(path: string, sizeBytes: number): void {
    const real = realpathSync(path);
    const known = this.found.get(real);
    if (known === undefined || path < known.origin) {
      this.found.set(real, { origin: path, sizeBytes, ...formatOf(path) });
    }
  }

  private fault(origin: string, code: SourceProblem['code'], message: string): void {
    this.faults.push({ code, origin, position: null, message });
  }

  private faultOf(path: string, error: unknown): void {
    if (!isSystemError(error)) throw error;
    this.fault(path, 'unreadable', systemMessage(error));
  }
}

function formatOf(path: string): Pick<InputFile, 'format' | 'namedSlot'> {
  const name = basename(path).replace(COMPRESSION, '');
  if (LINES.test(name)) return { format: 'lines', namedSlot: null };
  const named = NAMED_SLOT.exec(name);
  const digits = named?.[1] ?? named?.[2];
  return { format: 'document', namedSlot: digits === undefined ? null : Number(digits) };
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** The operating system's message without the path, which is reported separately. */
export function systemMessage({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return NOTHING_THERE;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return message;
}
