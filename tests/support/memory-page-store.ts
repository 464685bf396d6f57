import type { PageStore } from '../../src/lib/pages/page-store.ts';

/** Stores pages in maps: the newest contents, and those of the open checkpoint. */
export class MemoryPageStore implements PageStore {
  readonly newest = new Map<string, Uint8Array>();
  readonly asOf = new Map<string, Uint8Array>();

  read(space: number, page: number): Uint8Array | null {
    return this.newest.get(`${space} ${page}`) ?? null;
  }

  put(space: number, page: number, packed: Uint8Array): void {
    this.newest.set(`${space} ${page}`, packed.slice());
  }

  putAsOf(space: number, page: number, packed: Uint8Array): void {
    this.asOf.set(`${space} ${page}`, packed.slice());
    this.put(space, page, packed);
  }
}
