import type { OpenedState, StateFolders } from '../../src/store/checkpoints/state-folders.ts';

/** Counts the pages and objects of a state that are read back from its files. */
export class RecordReads {
  count = 0;

  /** Counts in the records that `folders` opens or creates from now on, and returns it. */
  watch(folders: StateFolders): StateFolders {
    const open = folders.open.bind(folders);
    const create = folders.create.bind(folders);
    folders.open = (fold, rules) => this.watched(open(fold, rules));
    folders.create = (fold, rules) => this.watched(create(fold, rules));
    return folders;
  }

  private watched(opened: OpenedState): OpenedState {
    const { records } = opened;
    const read = records.read.bind(records);
    records.read = (space, id) => {
      const found = read(space, id);
      if (found !== null) this.count++;
      return found;
    };
    return opened;
  }
}
