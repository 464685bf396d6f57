import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { copyFile, type FileContent, hashFile, syncPath } from '../../lib/hash-file.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { type DataFolder, dataFolderAt, holdsData } from '../data-folder.ts';
import {
  type BackedUpFile,
  type BackedUpLink,
  type BackupManifest,
  encodeManifest,
  MANIFEST_FILE,
} from './backup-manifest.ts';
import { assertEmptyTarget } from './empty-target.ts';
import { takePoint } from './take-point.ts';

/** Called again and again while work goes on. */
export interface BackupHooks {
  /** Files that were linked so far. The moment that is backed up is over once all are. */
  readonly onLinked?: (files: number) => void;
  /** Files and bytes that were read so far, of all. */
  readonly onRead?: (read: ReadProgress) => void;
}

export interface ReadProgress {
  readonly files: number;
  readonly filesTotal: number;
  readonly bytes: number;
  readonly bytesTotal: number;
}

/** What was backed up. */
export interface MadeBackup {
  readonly manifest: BackupManifest;
  /** Files are links to those of the data folder, which is on the same file system. */
  readonly isLinked: boolean;
}

export interface BackupRequest {
  readonly dataDir: string;
  /** Must be empty, or not exist. */
  readonly target: string;
  /** The version of this program. */
  readonly version: string;
  /** Copies files where links would do. */
  readonly isCopied?: boolean;
  readonly nowMs: () => number;
}

const STAGING_FOLDER = 'backup-staging';

/**
 * Backs up a data folder while a service may be using it (docs/decisions/0066-backup.md). Every file
 * of the backup is read again at the end, for its checksum. Throws StoreError; what was written then
 * has no manifest and is refused by `restore`.
 */
export async function makeBackup(
  request: BackupRequest,
  hooks: BackupHooks = {},
): Promise<MadeBackup> {
  try {
    return await make(request, hooks);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new StoreError(
      `The backup failed (${error.message}): run it as the user of the service, with room and ` +
        `rights to write, and remove ${request.target} before.`,
      { cause: error },
    );
  }
}

async function make(request: BackupRequest, hooks: BackupHooks): Promise<MadeBackup> {
  const { dataDir, target } = request;
  refuseNoFolder(dataDir);
  assertEmptyTarget(target, 'The backup needs');
  const folder = dataFolderAt(dataDir);
  makeFolder(target, OWNER_ONLY);
  const isLinked = request.isCopied !== true && canLink(folder, target);
  // On another file system, links within this one keep the files until they are copied.
  const staging = isLinked ? target : join(dataDir, STAGING_FOLDER);
  try {
    if (!isLinked) {
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { mode: OWNER_ONLY });
    }
    const { slot } = await takePoint(folder, staging, (files) => hooks.onLinked?.(files));
    const found = entriesOf(staging);
    if (!isLinked) createFolders(found, target);
    const files = readAll(found, { staging, target, isLinked }, hooks);
    const { links, folders } = found;
    const created_at = new Date(request.nowMs()).toISOString();
    const { version } = request;
    const manifest = { version, created_at, slot, files, links, folders };
    const text = encodeManifest(manifest);
    publish(target, folders, text);
    return { manifest: JSON.parse(text) as BackupManifest, isLinked };
  } finally {
    if (!isLinked) rmSync(staging, { recursive: true, force: true });
  }
}

function refuseNoFolder(dataDir: string): void {
  if (holdsData(dataDir)) return;
  throw new StoreError(`There is no data folder ${dataDir}: name one with --data-dir.`);
}

/** Whether files of the data folder can be linked below the target. */
function canLink({ path, controlFile, engineFolder, stateFolder }: DataFolder, target: string) {
  const devices = [path, engineFolder, stateFolder].map(
    (each) => statSync(each, { throwIfNoEntry: false })?.dev ?? statSync(path).dev,
  );
  const device = statSync(target).dev;
  if (!devices.every((each) => each === device)) return false;
  // Two mounts of one device look the same, and some file systems have no links.
  const trial = join(target, 'trial');
  try {
    linkSync(controlFile, trial);
    return true;
  } catch (error) {
    if (isSystemError(error) && NO_LINKS.has(error.code ?? '')) return false;
    throw error;
  } finally {
    rmSync(trial, { force: true });
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Everything in a folder, by paths below it. */
interface Entries {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly links: readonly BackedUpLink[];
  readonly folders: readonly string[];
}

function entriesOf(folder: string): Entries {
  const files: { path: string; bytes: number }[] = [];
  const links: BackedUpLink[] = [];
  const folders: string[] = [];
  const visit = (path: string) => {
    for (const name of readdirSync(path).sort()) {
      const full = join(path, name);
      const kind = lstatSync(full);
      const below = relative(folder, full);
      if (kind.isSymbolicLink()) links.push({ path: below, target: readlinkSync(full) });
      else if (kind.isDirectory()) {
        folders.push(below);
        visit(full);
      } else files.push({ path: below, bytes: kind.size });
    }
  };
  visit(folder);
  return { files, links, folders };
}

function createFolders({ links, folders }: Entries, target: string): void {
  for (const path of folders) mkdirSync(join(target, path), { mode: OWNER_ONLY });
  for (const { path, target: linked } of links) symlinkSync(linked, join(target, path));
}

interface Places {
  readonly staging: string;
  readonly target: string;
  readonly isLinked: boolean;
}

/** Reads all files for their checksums, and copies them if they are not links. */
function readAll(found: Entries, places: Places, { onRead }: BackupHooks): BackedUpFile[] {
  const bytesTotal = found.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const files: BackedUpFile[] = [];
  let bytes = 0;
  for (const { path } of found.files) {
    const content = readOne(path, places);
    bytes += content.bytes;
    files.push({ path, ...content });
    onRead?.({ files: files.length, filesTotal: found.files.length, bytes, bytesTotal });
  }
  return files;
}

function readOne(path: string, { staging, target, isLinked }: Places): FileContent {
  const written = join(target, path);
  if (isLinked) {
    // What the engine wrote is durable; what was copied beside the links is not yet.
    if (statSync(written).nlink === 1) syncPath(written);
    return hashFile(written);
  }
  const source = join(staging, path);
  const copied = copyFile(source, written);
  const read = hashFile(written);
  if (read.sha256 !== copied.sha256) {
    throw new StoreError(
      `The copy ${written} differs from what was written: the device of the backup loses data, ` +
        'name a folder on another one.',
    );
  }
  // Frees what the service has removed since.
  rmSync(source);
  return read;
}

/** The manifest gets its name once everything else is durable. */
function publish(target: string, folders: readonly string[], text: string): void {
  for (const folder of folders) syncPath(join(target, folder));
  const unfinished = join(target, `${MANIFEST_FILE}.tmp`);
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(unfinished, join(target, MANIFEST_FILE));
  syncPath(target);
  syncPath(dirname(target));
}

const OWNER_ONLY = 0o700;
