import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../lib/hash-file.ts';
import { StoreError } from '../../model/errors.ts';
import type { CheckpointHead } from '../../model/record-store.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { CheckpointFolder, slotOfManifest } from './checkpoint-folder.ts';
import { createFileAccess } from './file-access.ts';
import type { FileRecordStore } from './file-record-store.ts';
import { openRecords, type RecordStoreSizes } from './open-records.ts';
import { orStoreError, toStoreError } from './store-failure.ts';

/** Records of a state, as of a checkpoint. */
export interface OpenedState {
  readonly records: FileRecordStore;
  /** Null if there is none: the records are empty. */
  readonly checkpoint: CheckpointHead | null;
  /** Why newer checkpoints are not used, one sentence each. */
  readonly passedOver: readonly string[];
  /** Why the device did not read the newest of them; null if it read them all. */
  readonly unread: StoreError | null;
}

/** Which checkpoints can be opened. */
export interface StateRules {
  /** The rules of new checkpoints. Only those made under equal rules are opened. */
  readonly rules: string;
  /** Which rules count as equal; by default the same text. */
  readonly isEqual?: (rules: string) => boolean;
  /** The log cannot yield the same states any more: no checkpoint that cannot be read is removed. */
  readonly areNeeded?: boolean;
  /** Only checkpoints up to this slot. */
  readonly maxSlot?: Slot;
}

/** Records of a state in a folder of their own, for another thread to open. */
export interface LinkedState {
  readonly folder: string;
  /** Those of the checkpoint, or of new ones. */
  readonly rules: string;
  /** Null if there are no records yet. */
  readonly checkpoint: CheckpointHead | null;
}

/** Advice that does not lose the only states. */
const NEEDED =
  ': old slots were dropped from the log (--log-retention), so it cannot be computed again. Start ' +
  'the version that made them, or restore a backup of the data folder.';

const NAME = /^(fold-\d{1,10}(-rows)?|past-\d{1,10})$/;

/**
 * The checkpoints of folds: a folder for each fold, by its number. They only save time, as the log
 * alone yields the same states.
 */
export class StateFolders {
  private readonly path: string;
  private readonly guard: () => Promise<void>;
  private readonly sizes: Partial<RecordStoreSizes>;

  /** `guard` throws if this process may no longer write; `sizes` where they differ from production. */
  constructor(
    path: string,
    guard: () => Promise<void> = async () => undefined,
    sizes: Partial<RecordStoreSizes> = {},
  ) {
    this.path = path;
    this.guard = guard;
    this.sizes = sizes;
  }

  /** Opens the newest checkpoint of a fold that fits. Throws StoreError if files cannot be read. */
  open(fold: number, rules: StateRules): OpenedState {
    return this.openFolder(this.folderOf(fold), rules);
  }

  /** Removes the checkpoints of a fold and opens empty records for it. Throws StoreError. */
  create(fold: number, rules: StateRules): OpenedState {
    const folder = this.folderOf(fold);
    orStoreError('written', () => rmSync(folder, { recursive: true, force: true }));
    return this.openFolder(folder, rules);
  }

  /**
   * Opens the newest checkpoint of `fold` that fits, for another use beside the one of `fold`
   * itself: as the beginning of the fold `target`, or to look up its rows. The files are shared:
   * neither use changes those of the other. Throws StoreError.
   */
  branch(
    fold: number,
    rules: StateRules,
    { target, isForRows }: { readonly target: number; readonly isForRows: boolean },
  ): OpenedState {
    const to = `${this.folderOf(target)}${isForRows ? '-rows' : ''}`;
    this.link(this.folderOf(fold), to, rules);
    if (!isForRows) this.makeDurable(to);
    return this.openFolder(to, rules);
  }

  /**
   * Links the newest checkpoint of `fold` that fits into the folder `past-<number>`, which another
   * thread opens and may write to: no later change of the fold has an effect on it. Null if there is
   * none. Throws StoreError, also if there is none that the device reads.
   */
  linkPast(fold: number, rules: StateRules, number: number): LinkedState | null {
    const folder = join(this.path, `past-${number}`);
    this.link(this.folderOf(fold), folder, rules);
    const { records, checkpoint, unread } = this.openFolder(folder, rules);
    records.close();
    if (checkpoint !== null) return { folder, rules: checkpoint.rules, checkpoint };
    this.removePast(folder);
    if (unread !== null) throw unread;
    return null;
  }

  /** An empty folder `past-<number>`, as `linkPast` returns one. Throws StoreError. */
  createPast({ rules }: StateRules, number: number): LinkedState {
    const folder = join(this.path, `past-${number}`);
    this.removePast(folder);
    return { folder, rules, checkpoint: null };
  }

  /** Removes a folder `past-<number>`, which no thread may have open. Throws StoreError. */
  removePast(folder: string): void {
    orStoreError('removed', () => rmSync(folder, { recursive: true, force: true }));
  }

  /** Removes the checkpoints of a fold as of one slot, durably. Throws StoreError. */
  async remove(fold: number, slot: Slot): Promise<void> {
    const folder = new CheckpointFolder(createFileAccess(this.folderOf(fold)));
    try {
      const names = folder.files().flatMap((file) => (file.slot === slot ? file.name : []));
      await folder.remove(names);
    } catch (error) {
      throw toStoreError('removed', error);
    }
  }

  /**
   * Removes the checkpoints of a fold after a slot, durably; null: all. Returns their slots. Throws
   * StoreError.
   */
  async removeAfter(fold: number, slot: Slot | null): Promise<readonly Slot[]> {
    const folder = new CheckpointFolder(createFileAccess(this.folderOf(fold)));
    try {
      const removed = folder.files().filter((file) => file.slot > (slot ?? -1));
      await folder.remove(removed.map(({ name }) => name));
      return removed.map((file) => asSlot(file.slot));
    } catch (error) {
      throw toStoreError('removed', error);
    }
  }

  /** Removes all but the checkpoints of one fold. Throws StoreError. */
  retain(fold: number): void {
    const kept = this.folderOf(fold);
    orStoreError('written', () => {
      for (const name of namesIn(this.path)) {
        const folder = join(this.path, name);
        if (NAME.test(name) && folder !== kept) rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  private link(from: string, to: string, { maxSlot }: StateRules): void {
    orStoreError('written', () => {
      rmSync(to, { recursive: true, force: true });
      mkdirSync(to, { recursive: true, mode: 0o700 });
      // Files are only appended to behind what a checkpoint needs, and a store that is opened
      // appends to none of the files that it finds.
      // Later checkpoints of the other use are no states of this one.
      for (const name of namesIn(from)) {
        if (isUpTo(name, maxSlot)) linkSync(join(from, name), join(to, name));
      }
    });
  }

  /** The other use may go on under a number for which the folder it was linked from is removed. */
  private makeDurable(folder: string): void {
    orStoreError('written', () => {
      syncPath(folder);
      syncPath(this.path);
    });
  }

  private openFolder(folder: string, rules: StateRules): OpenedState {
    const { guard, sizes } = this;
    const options = { ...rules, guard, sizes };
    const opened = openRecords(createFileAccess(folder), options);
    if (opened.kind === 'opened') {
      const { store: records, checkpoint, passedOver, unread } = opened;
      return { records, checkpoint, passedOver, unread };
    }
    if (rules.areNeeded === true)
      throw new StoreError(`${opened.reason.replace(/\. .*$/s, '')}${NEEDED}`);
    // Another version made them. It computes them again from the log, as this one does.
    orStoreError('written', () => rmSync(folder, { recursive: true, force: true }));
    const again = openRecords(createFileAccess(folder), options);
    if (again.kind === 'refused') throw new Error(again.reason);
    return { records: again.store, checkpoint: null, passedOver: [opened.reason], unread: null };
  }

  private folderOf(fold: number): string {
    return join(this.path, stateFolderName(fold));
  }
}

/** The folder of a fold's checkpoints in the state folder. */
export function stateFolderName(fold: number): string {
  return `fold-${fold}`;
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** False for the manifest of a checkpoint after the slot. */
function isUpTo(name: string, maxSlot: Slot | undefined): boolean {
  const slot = slotOfManifest(name);
  return slot === null || maxSlot === undefined || slot <= maxSlot;
}
