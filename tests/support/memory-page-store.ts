import type { PageStore } from '../../src/lib/pages/page-store.ts';

type Stored = Map<string, Uint8Array>;

/** Stores contents in maps: the newest ones, and those as of the newest checkpoint. */
export class MemoryPageStore implements PageStore {
  readonly newest: Stored;
  atCheckpoint: Stored = new Map();

  constructor(newest: Stored = new Map()) {
    this.newest = newest;
  }

  read(space: number, id: number): Uint8Array | null {
    return this.newest.get(`${space} ${id}`) ?? null;
  }

  put(space: number, id: number, bytes: Uint8Array | null): void {
    write(this.newest, space, id, bytes);
  }

  putAsOf(space: number, id: number, bytes: Uint8Array | null): void {
    write(this.atCheckpoint, space, id, bytes);
    this.put(space, id, bytes);
  }

  /** Call right before the pool begins a checkpoint. */
  beginCheckpoint(): void {
    this.atCheckpoint = new Map(this.newest);
  }
}

function write(stored: Stored, space: number, id: number, bytes: Uint8Array | null): void {
  if (bytes === null) stored.delete(`${space} ${id}`);
  else stored.set(`${space} ${id}`, bytes.slice());
}
