import type { PageStore } from '../lib/pages/page-store.ts';
import { StoreError } from '../model/errors.ts';
import { DamagedRecordError } from '../model/record-store.ts';
import { isUnread, StateFailure } from './state-failure.ts';

/** A record of a state, by the number of its space and its number in it. */
export type RecordNumbers = readonly [space: number, id: number];

/**
 * The pages of a state, which notes those whose stored bytes are damaged or could not be read. Throws
 * StateFailure.
 */
export class WatchedPages implements PageStore {
  private readonly pages: PageStore;
  private readonly damagedRecords = new Map<string, RecordNumbers>();
  private firstDamage: StateFailure | null = null;
  private lastUnread: RecordNumbers | null = null;

  constructor(pages: PageStore) {
    this.pages = pages;
  }

  /** The first damage that was found; null while there is none. */
  get damage(): StateFailure | null {
    return this.firstDamage;
  }

  /** The records that cannot be read or replaced, in the order in which they were found. */
  get damaged(): readonly RecordNumbers[] {
    return [...this.damagedRecords.values()];
  }

  /** The record that the device failed to read last; null if it never failed. */
  get unread(): RecordNumbers | null {
    return this.lastUnread;
  }

  read(space: number, id: number): Uint8Array | null {
    try {
      return this.watching(space, id, () => this.pages.read(space, id));
    } catch (error) {
      if (isUnread(error)) this.lastUnread = [space, id];
      throw error;
    }
  }

  put(space: number, id: number, bytes: Uint8Array | null): void {
    this.watching(space, id, () => this.pages.put(space, id, bytes));
  }

  putAsOf(space: number, id: number, bytes: Uint8Array | null): void {
    this.watching(space, id, () => this.pages.putAsOf(space, id, bytes));
  }

  private watching<Result>(space: number, id: number, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const failure = new StateFailure(error);
      if (error instanceof DamagedRecordError) {
        this.firstDamage ??= failure;
        this.damagedRecords.set(`${space} ${id}`, [space, id]);
      }
      throw failure;
    }
  }
}
