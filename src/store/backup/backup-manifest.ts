import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { isSystemError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/** Written last: a backup without it is not complete. */
export const MANIFEST_FILE = 'backup.json';
/** Incremented when an earlier version could not restore the backup. */
const FORMAT = 1 as const;

/** Names joined by slashes: a damaged or hostile manifest must not name files elsewhere. */
const PATH = '^(?!\\.{1,2}(/|$))[\\w.%+-]+(/(?!\\.{1,2}(/|$))[\\w.%+-]+)*$';
/** The engine links the names of databases and tables to folders beside them. */
const LINK_TARGET = '^(\\.\\./){1,4}store/[0-9a-f]{3}/[0-9a-f-]{36}$';

const FileEntry = Type.Object({
  path: Type.String({ pattern: PATH, maxLength: 1_024 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
const LinkEntry = Type.Object({
  path: Type.String({ pattern: PATH, maxLength: 1_024 }),
  target: Type.String({ pattern: LINK_TARGET }),
});
const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** The version of Mintscope that made the backup. */
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+' }),
  created_at: Type.String(),
  /** The stored rows are complete up to this slot; null if nothing was stored. */
  slot: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  files: Type.Array(FileEntry),
  links: Type.Array(LinkEntry),
  /** Folders, each after the one that contains it; those without files are listed too. */
  folders: Type.Array(Type.String({ pattern: PATH, maxLength: 1_024 })),
  /** SHA-256 of everything above, as written. */
  sha256: Type.String(),
});

const manifestCheck = Compile(Manifest);

type Written = Static<typeof Manifest>;

/** What a backup consists of. */
export type BackupManifest = { readonly [Name in keyof Written]: Listed<Written[Name]> };
type Listed<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

export type BackedUpFile = Static<typeof FileEntry>;
export type BackedUpLink = Static<typeof LinkEntry>;

/** The text of the manifest's file. */
export function encodeManifest(content: Omit<BackupManifest, 'format' | 'sha256'>): string {
  const { version, created_at, slot, files, links, folders } = content;
  const manifest = { format: FORMAT, version, created_at, slot, files, links, folders };
  return `${JSON.stringify({ ...manifest, sha256: sumOf(manifest) })}\n`;
}

/**
 * Reads the manifest of a backup. Throws StoreError if there is none, it was altered, or a version
 * newer than `ownVersion` made it.
 */
export function readManifest(folder: string, ownVersion: string): BackupManifest {
  const manifest: unknown = parse(textOf(folder), folder);
  refuseNewer(folder, manifest, ownVersion);
  if (!manifestCheck.Check(manifest)) throw altered(folder);
  const { sha256, ...content } = manifest;
  if (sha256 !== sumOf(content)) throw altered(folder);
  return manifest;
}

function textOf(folder: string): string {
  try {
    return readFileSync(join(folder, MANIFEST_FILE), 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') {
      throw new StoreError(
        `${folder} is no complete backup (there is no ${MANIFEST_FILE} in it): name the folder of ` +
          'a backup that was completed, or make another one with "mintscope backup".',
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`The backup ${folder} cannot be read (${reason}): check its permissions.`);
  }
}

function parse(text: string, folder: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw altered(folder);
  }
}

/** Before anything else: a newer version may describe its backups in another way. */
function refuseNewer(folder: string, manifest: unknown, ownVersion: string): void {
  if (typeof manifest !== 'object' || manifest === null) return;
  const { format, version } = manifest as Partial<Record<string, unknown>>;
  const isNewFormat = typeof format === 'number' && format > FORMAT;
  const isNewVersion = typeof version === 'string' && isNewer(version, ownVersion);
  if (!isNewFormat && !isNewVersion) return;
  throw new StoreError(
    `The backup ${folder} was made by Mintscope ${JSON.stringify(version)}, this is ${ownVersion}: ` +
      'restore it with that version or a later one.',
  );
}

function isNewer(version: string, other: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(other)];
  const at = numbers.findIndex((number, index) => number !== others[index]);
  return at >= 0 && (numbers[at] ?? 0) > (others[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(/[.+-]/, 3).map(Number);
}

function altered(folder: string): StoreError {
  return new StoreError(
    `The ${MANIFEST_FILE} of the backup ${folder} differs from what was written: restore another ` +
      'backup, or copy this one again from where it was made.',
  );
}

function sumOf(content: Omit<BackupManifest, 'sha256'>): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
