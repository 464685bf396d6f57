import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/** What a folder of the engine is linked with. */
export interface LinkProgress {
  /** Called after each table, with the number of files so far. */
  readonly onFiles: (files: number) => void;
}

/** How often a table is listed again because its parts were changing. */
const ATTEMPTS_MAX = 50;
/**
 * The log is listed after the tables that are derived from it, and its first slot after the log: a
 * kill, too, leaves a log that is ahead of the derived rows, and a first slot that is ahead of what
 * was removed.
 */
const LISTED_LAST = ['slot_log', 'log_starts'];
/** Every folder of a table has this file. */
const TABLE_MARK = 'format_version.txt';
/** Every part has this file. */
const PART_MARK = 'checksums.txt';
/** Parts that are being written or removed, and those that were set aside. */
const UNFINISHED = /^(tmp|delete_tmp|detached)(_|$)/;

/**
 * Links the files of the embedded engine into a new folder, while an engine may be using them. Parts
 * are never changed once they have their name, and a part that was merged into another stays for
 * minutes. The parts of a table are those of one moment. Throws StoreError.
 */
export function linkTables(from: string, to: string, progress: LinkProgress): void {
  const links = new TableLinks(progress);
  links.copyFolder(join(from, 'metadata'), join(to, 'metadata'));
  links.copyFolder(join(from, 'data'), join(to, 'data'));
  const tables = tableFolders(from);
  links.copyStore(join(from, 'store'), join(to, 'store'), new Set(tables));
  for (const table of tables) links.linkTable(join(from, table), join(to, table));
}

/** Paths of the folders of tables, below the engine's, in the order in which they are listed. */
function tableFolders(engineFolder: string): string[] {
  const databases = join(engineFolder, 'data');
  const found = readdirSync(databases).flatMap((database) =>
    readdirSync(join(databases, database)).map((table) => {
      const target = readlinkSync(join(databases, database, table));
      return { table, folder: target.replace(/^(\.\.\/)+/, '').replace(/\/$/, '') };
    }),
  );
  const orderOf = ({ table }: { table: string }) => LISTED_LAST.indexOf(table);
  return found.toSorted((one, other) => orderOf(one) - orderOf(other)).map(({ folder }) => folder);
}

class TableLinks {
  private readonly progress: LinkProgress;
  private files = 0;

  constructor(progress: LinkProgress) {
    this.progress = progress;
  }

  /** Copies small files that may be replaced, and links between folders. */
  copyFolder(from: string, to: string): void {
    mkdirSync(to, { recursive: true, mode: OWNER_ONLY });
    for (const name of readdirSync(from)) this.copyEntry(join(from, name), join(to, name));
  }

  /** Copies definitions of tables, which lie beside the tables. */
  copyStore(from: string, to: string, tables: ReadonlySet<string>): void {
    mkdirSync(to, { recursive: true, mode: OWNER_ONLY });
    for (const group of readdirSync(from)) {
      for (const name of readdirSync(join(from, group))) {
        if (tables.has(`store/${group}/${name}`)) continue;
        // A table that was dropped and is being removed.
        if (existsSync(join(from, group, name, TABLE_MARK))) continue;
        this.copyFolder(join(from, group, name), join(to, group, name));
      }
    }
  }

  /**
   * Links the parts that a table has at one moment, and its other files. What was linked of an
   * earlier moment is used again.
   */
  linkTable(from: string, to: string): void {
    const linked = new Map<string, number>();
    mkdirSync(to, { recursive: true, mode: OWNER_ONLY });
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const entries = listing(from);
      // Equal lists mean that nothing came or went while the first one was read.
      if (entries.join('/') !== listing(from).join('/')) continue;
      for (const entry of entries) {
        if (linked.has(entry)) continue;
        const files = tryToLink(join(from, entry), join(to, entry));
        if (files !== null) linked.set(entry, files);
      }
      if (!entries.every((entry) => linked.has(entry))) continue;
      removeOthers(to, new Set(entries), linked);
      for (const files of linked.values()) this.files += files;
      this.progress.onFiles(this.files);
      return;
    }
    throw new StoreError(
      `The parts in ${from} changed each time they were listed: make the backup again.`,
      { isTransient: true },
    );
  }

  private copyEntry(from: string, to: string): void {
    const kind = lstatSync(from);
    if (kind.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else if (kind.isDirectory()) this.copyFolder(from, to);
    else {
      copyFileSync(from, to);
      this.files++;
    }
  }
}

function listing(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !UNFINISHED.test(name))
    .sort();
}

/** Null if the file or folder was removed meanwhile. */
function tryToLink(from: string, to: string): number | null {
  try {
    const files = linkEntry(from, to);
    // A part that still has its name had all its files while they were listed.
    if (existsSync(from)) return files;
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
  rmSync(to, { recursive: true, force: true });
  return null;
}

/** Removes what was linked of an earlier moment. */
function removeOthers(
  folder: string,
  entries: ReadonlySet<string>,
  linked: Map<string, number>,
): void {
  for (const entry of linked.keys()) {
    if (entries.has(entry)) continue;
    rmSync(join(folder, entry), { recursive: true });
    linked.delete(entry);
  }
}

/** Links a file, or a folder with its files; returns the number of files. */
function linkEntry(from: string, to: string): number {
  if (!lstatSync(from).isDirectory()) {
    linkSync(from, to);
    return 1;
  }
  const names = readdirSync(from);
  // Its files are being removed.
  if (!names.includes(PART_MARK)) throw missing(join(from, PART_MARK));
  mkdirSync(to, { mode: OWNER_ONLY });
  return names.reduce((files, name) => files + linkEntry(join(from, name), join(to, name)), 0);
}

function missing(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is gone`), { code: 'ENOENT', syscall: 'link' });
}

const OWNER_ONLY = 0o700;
