import { isSystemError } from '../../lib/transient-error.ts';
import type { StoreError } from '../../model/errors.ts';
import type { CheckpointHead } from '../../model/record-store.ts';
import type { Slot } from '../../model/units.ts';
import { type CheckpointFile, CheckpointFolder } from './checkpoint-folder.ts';
import type { FileAccess } from './file-access.ts';
import { FileRecordStore, type RetainedCheckpoint } from './file-record-store.ts';
import { IndexedRecords } from './indexed-records.ts';
import type { Manifest } from './manifest.ts';
import { SegmentLog, type SegmentSizes } from './segment-log.ts';
import { SegmentUsage } from './segment-usage.ts';
import { asStoreError, orStoreError } from './store-failure.ts';

/** Sizes of what is in memory and of files. Tests use smaller ones. */
export interface RecordStoreSizes extends SegmentSizes {
  /** Leaves of the index in memory, of 512 records and 4 KiB each; more while they are changed. */
  readonly leavesMax: number;
  /** Leaves that a commit writes between two turns of other work. */
  readonly leavesPerTurn: number;
  /** Longer content is split. At most 64 KiB. */
  readonly pieceBytes: number;
}

export const RECORD_STORE_SIZES: RecordStoreSizes = {
  segmentBytes: 64 * 1_024 * 1_024,
  bufferBytes: 1_024 * 1_024,
  openFilesMax: 128,
  // 64 MiB: the index of 8 million records.
  leavesMax: 16_384,
  leavesPerTurn: 256,
  pieceBytes: 64 * 1_024,
};

export interface OpenRecordsOptions {
  /** The rules of new checkpoints. Only those made under equal rules are opened. */
  readonly rules: string;
  /** Which rules count as equal; by default the same text. */
  readonly isEqual?: (rules: string) => boolean;
  /** The newest slot that a checkpoint may have; those behind it become obsolete. */
  readonly maxSlot?: Slot;
  /** Called before a checkpoint becomes the newest; throws if this process may no longer write. */
  readonly guard?: () => Promise<void>;
  readonly sizes?: Partial<RecordStoreSizes>;
}

/** A store that can be used, or why the folder cannot, with the way out. */
export type OpenedRecords =
  | {
      readonly kind: 'opened';
      readonly store: FileRecordStore;
      /** The checkpoint whose content the store has; null if it is empty. */
      readonly checkpoint: CheckpointHead | null;
      /** Why newer checkpoints are not used, one sentence each. */
      readonly passedOver: readonly string[];
      /** Why the device did not read the newest of those passed over; null if it read them all. */
      readonly unread: StoreError | null;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Opens the newest checkpoint that fits and that the device reads, or an empty store if there is
 * none. Reads manifests only. The folder is not changed until something is put; checkpoints that were
 * passed over are removed by the next commit. Throws StoreError if the folder cannot be listed.
 */
export function openRecords(access: FileAccess, options: OpenRecordsOptions): OpenedRecords {
  return orStoreError('read', () => {
    const folder = new CheckpointFolder(access);
    const files = folder.files();
    for (const { start } of files) {
      if (start.kind === 'other-layout') {
        return { kind: 'refused', reason: otherLayout(access.folder, start.layout) };
      }
    }
    const passedOver: string[] = [];
    let unread: StoreError | null = null;
    for (const [index, file] of files.entries()) {
      const manifest = fittingManifest(folder, file, options);
      if (!('reason' in manifest)) {
        const { head, description } = manifest;
        const { slot, blockhash, timeMs, rules } = description;
        const checkpoint = { slot, blockhash, timeMs, rules, head };
        const store = createStore({ access, folder, files, index, manifest, options });
        return { kind: 'opened', store, checkpoint, passedOver, unread };
      }
      passedOver.push(`The checkpoint ${file.name} is not used: ${manifest.reason}.`);
      unread ??= manifest.failure;
    }
    const index = files.length;
    const store = createStore({ access, folder, files, index, manifest: null, options });
    return { kind: 'opened', store, checkpoint: null, passedOver, unread };
  });
}

/** Why a checkpoint cannot be used; the failure if the device did not read it. */
interface Unusable {
  readonly reason: string;
  readonly failure: StoreError | null;
}

/** The manifest of a checkpoint that can be used, or why it cannot. */
function fittingManifest(
  folder: CheckpointFolder,
  { name, slot, start }: CheckpointFile,
  options: OpenRecordsOptions,
): Manifest | Unusable {
  const { maxSlot } = options;
  if (maxSlot !== undefined && slot > maxSlot) return unusable(`it is newer than slot ${maxSlot}`);
  if (start.kind === 'unread') return unreadFor(start.failure);
  if (start.kind !== 'described') return unusable(OTHER_CONTENT);
  if (!isOfRules(start.description, options)) return unusable('it was made under other rules');
  try {
    const missing = folder.missingSegment(start.description);
    if (missing !== null) return unusable(`${missing} is missing or cut off`);
    return folder.read(name) ?? unusable(OTHER_CONTENT);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return unreadFor(error);
  }
}

const OTHER_CONTENT = 'it differs from what was written';

function unusable(reason: string): Unusable {
  return { reason, failure: null };
}

function unreadFor(error: NodeJS.ErrnoException): Unusable {
  return { reason: `it cannot be read: ${error.message}`, failure: asStoreError('read', error) };
}

function isOfRules(
  { rules: found }: Pick<CheckpointHead, 'rules'>,
  { rules, isEqual = (other) => other === rules }: OpenRecordsOptions,
): boolean {
  return isEqual(found);
}

interface StoreParts {
  readonly access: FileAccess;
  readonly folder: CheckpointFolder;
  readonly files: readonly CheckpointFile[];
  /** The file of the checkpoint to open; those before it are obsolete. */
  readonly index: number;
  readonly manifest: Manifest | null;
  readonly options: OpenRecordsOptions;
}

function createStore({ access, folder, files, index, manifest, options }: StoreParts) {
  const sizes = { ...RECORD_STORE_SIZES, ...options.sizes };
  const segments = manifest?.description.segments ?? [];
  const checkpoints: RetainedCheckpoint[] = [];
  const obsolete = files.slice(0, index);
  for (const file of files.slice(index)) {
    const { name, start } = file;
    if (start.kind === 'described' && isOfRules(start.description, options)) {
      checkpoints.push({ name, ...start.description });
    } else obsolete.push(file);
  }
  const log = new SegmentLog(access, sizes, {
    ends: new Map(segments.map(({ segment, endBytes }) => [segment, endBytes])),
    firstSegment: 1 + Math.max(0, ...folder.segments(), ...segmentsOf(files)),
  });
  const usage = new SegmentUsage(
    segments.map(({ segment, liveBytes }) => [segment, liveBytes]),
    manifest?.description.recordCount,
  );
  const { leavesMax, pieceBytes } = sizes;
  const roots = manifest?.roots ?? new Map<number, Uint8Array>();
  const records = new IndexedRecords({ log, usage, roots, leavesMax, pieceBytes });
  const guard = options.guard ?? (async () => undefined);
  const sequence = Math.max(0, ...files.map((file) => file.sequence));
  const { leavesPerTurn } = sizes;
  const state = { folder, records, checkpoints, obsolete, sequence };
  return new FileRecordStore({ ...state, leavesPerTurn, guard });
}

function segmentsOf(files: readonly CheckpointFile[]): number[] {
  return files.flatMap(({ start }) =>
    start.kind === 'described' ? start.description.segments.map(({ segment }) => segment) : [],
  );
}

function otherLayout(folder: string, layout: string): string {
  return (
    `The checkpoints in ${folder} have layout ${layout}, which this version does not read. ` +
    'Start the version that made them, or remove the folder: the state is then computed again ' +
    'from the log.'
  );
}
