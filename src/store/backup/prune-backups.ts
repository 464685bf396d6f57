import { StoreError } from '../../model/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type ListedBackup, listBackups } from './list-backups.ts';
import { PlaceUse, type PlaceUseOptions } from './place-use.ts';
import { FILES, fileKey } from './stored-backups.ts';

export interface PruneRequest {
  /** How many of the newest whole backups stay. */
  readonly keep: number;
  /** The version of this program. */
  readonly version: string;
  /** Removes nothing. */
  readonly isTrial?: boolean;
}

/** What pruning removed, or would remove. */
export interface PrunedBackups {
  /** Keys of the backups that stay, the newest first. */
  readonly kept: readonly string[];
  /** Keys of removed backups. */
  readonly backups: readonly string[];
  /** Keys of removed files, which no kept backup names. */
  readonly files: readonly string[];
}

/**
 * Removes all but the newest whole backups, and the files that none of those that stay names: of
 * interrupted backups too. No backup is written meanwhile. A backup is removed before its files, so
 * that a kill leaves no backup without its files, and files that the next pruning removes.
 *
 * Removes nothing, and rejects with StoreError, if a description cannot be read or no backup is
 * whole: what such a place says cannot be relied on.
 */
export async function pruneBackups(
  blobs: BlobStore,
  { keep, version, isTrial = false }: PruneRequest,
  options: PlaceUseOptions = {},
): Promise<PrunedBackups> {
  if (keep < 1) throw new RangeError('at least one backup stays');
  const plan = async () =>
    planPruning(await listBackups(blobs, { version }), {
      ...{ keep, place: blobs.name, files: await blobs.list(FILES) },
    });
  if (isTrial) return plan();
  const use = await PlaceUse.begin(blobs, 'pruning', options);
  try {
    const pruned = await plan();
    for (const key of [...pruned.backups.toReversed(), ...pruned.files]) {
      // Asked before each: a pruner that was stopped and wakes must not go on.
      if (!(await use.isHeld())) throw interrupted(blobs);
      await blobs.delete(key);
    }
    return pruned;
  } finally {
    await use.end();
  }
}

interface Stored {
  readonly keep: number;
  readonly place: string;
  /** Keys of all files that are there. */
  readonly files: readonly string[];
}

/** What stays and what goes, of backups with the newest first. Throws StoreError. */
export function planPruning(
  backups: readonly ListedBackup[],
  { keep, place, files }: Stored,
): PrunedBackups {
  for (const { key, manifest, problem } of backups) {
    if (manifest !== null) continue;
    throw new StoreError(
      `Nothing was removed from ${place}: which files ${key} needs is unknown. ${problem} If it is damaged for good, remove it there by hand, and prune again.`,
    );
  }
  const whole = backups.filter(({ problem }) => problem === null);
  const oldest = whole[Math.min(keep, whole.length) - 1];
  if (oldest === undefined) {
    if (backups.length === 0) return { kept: [], backups: [], files: [] };
    throw new StoreError(
      `Nothing was removed from ${place}: none of its ${backups.length} backups is whole. Store a new one first.`,
    );
  }
  // Those that are not whole are completed by the next backup with the same files.
  const end = backups.indexOf(oldest) + 1;
  const kept = backups.slice(0, end);
  const named = new Set(kept.flatMap(({ manifest }) => manifest?.files.map(fileKey) ?? []));
  return {
    kept: kept.map(({ key }) => key),
    backups: backups.slice(end).map(({ key }) => key),
    files: files.filter((key) => !named.has(key)),
  };
}

function interrupted(blobs: BlobStore): StoreError {
  return new StoreError(
    `Pruning ${blobs.name} stood still for so long that it was ended: prune again.`,
    { isTransient: true },
  );
}
