import { BlockHeap, CLASS_MAX, OWN_WORDS } from './pages/block-heap.ts';
import { CellTable } from './pages/cell-table.ts';
import { HEADER_MARK, LinearHash } from './pages/linear-hash.ts';
import { PAGE_BYTES } from './pages/page-layout.ts';
import type { PageSpace } from './pages/page-space.ts';
import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/**
 * Maps pairs of numbers to row numbers, all of them unsigned and below 2^32 - 1: groups, such as the
 * wallets of a mint. The pairs of a small group lie together, so that only groups in use need
 * memory. First numbers of pairs should be nearly consecutive: each takes four bytes.
 *
 * A small group is one hash table in a chunk, which doubles when it is full; a group that exceeds a
 * page becomes a table that grows page by page.
 */
export class PairIndex {
  /** By first number: the address of its group, 0 for none. */
  private readonly groups: WordList;
  private readonly space: PageSpace;
  private readonly heap: BlockHeap;
  private readonly small: CellTable;
  private readonly large: LinearHash;

  constructor(undo = new UndoLog(), name = 'index') {
    const { pages } = undo;
    const space = pages.createSpace(name, 'pairs');
    this.space = space;
    this.groups = new WordList(undo, `${name} groups`);
    this.heap = new BlockHeap(space, pages);
    this.small = new CellTable(space, pages);
    this.large = new LinearHash(this.heap, new CellTable(space, pages));
  }

  get size(): number {
    return this.heap.word(0, SIZE);
  }

  /** Bytes of its pages in memory. */
  get allocatedBytes(): number {
    return this.groups.allocatedBytes + this.space.residentPages * PAGE_BYTES;
  }

  /** Returns the row of a pair, -1 if there is none, also for a first number of -1. */
  get(a: number, b: number): number {
    const address = this.addressOf(a);
    if (address === 0) return -1;
    const group = this.openSmall(address);
    return (group === null ? this.large.get(address, b) : group.get(b)) - 1;
  }

  set(a: number, b: number, row: number): void {
    if (this.setIn(a, b, row + 1)) this.addToSize(1);
  }

  /** Does nothing if the pair is absent. */
  delete(a: number, b: number): void {
    const address = this.addressOf(a);
    if (address === 0) return;
    const group = this.openSmall(address);
    const isRemoved = group === null ? this.large.delete(address, b) : group.remove(b);
    if (isRemoved) this.addToSize(-1);
  }

  /** Calls `visit` for each second number of the pairs with this first one, in no useful order. */
  forEachOf(a: number, visit: (b: number, row: number) => void): void {
    const address = this.addressOf(a);
    if (address === 0) return;
    const each = (b: number, tag: number) => visit(b, tag - 1);
    const group = this.openSmall(address);
    if (group === null) this.large.forEach(address, each);
    else group.forEach(each);
  }

  /** Pairs and their rows, in no useful order. */
  *entries(): Generator<[a: number, b: number, row: number]> {
    const end = this.heap.word(0, GROUPS_END);
    for (let a = 0; a < end; a++) {
      const pairs: [number, number, number][] = [];
      this.forEachOf(a, (b, row) => {
        pairs.push([a, b, row]);
      });
      yield* pairs;
    }
  }

  /** The address of a group; 0 for none, and for what has no id. */
  private addressOf(a: number): number {
    return a === -1 ? 0 : this.groups.get(a);
  }

  /** Sets the value of a pair; returns whether the pair is new. */
  private setIn(a: number, b: number, tag: number): boolean {
    const address = this.groups.get(a);
    if (address === 0) {
      this.small.openChunk(this.addChunk(a, 0)).add(b, tag);
      return true;
    }
    const table = this.openSmall(address);
    if (table === null) return this.large.set(address, b, tag);
    if (table.replace(b, tag)) return false;
    if (!table.isFull) {
      table.add(b, tag);
      return true;
    }
    this.enlarge(a, address);
    return this.setIn(a, b, tag);
  }

  /** Gives a group an empty chunk of a class. */
  private addChunk(a: number, chunkClass: number): number {
    const address = this.heap.add(chunkClass);
    this.heap.setWord(address, 1, chunkClass + 1);
    this.groups.set(a, address);
    if (a >= this.heap.word(0, GROUPS_END)) this.heap.setWord(0, GROUPS_END, a + 1);
    return address;
  }

  /** Moves a full group to a chunk of twice the size, or to a table of pages. */
  private enlarge(a: number, address: number): void {
    const pairs: number[] = [];
    const table = this.small.openChunk(address);
    const chunkClass = table.own - 1;
    table.forEach((b, tag) => {
      pairs.push(b, tag);
    });
    table.clear();
    this.heap.free(address, chunkClass);
    if (chunkClass === CLASS_MAX) this.groups.set(a, this.large.create());
    else this.addChunk(a, chunkClass + 1);
    for (let at = 0; at < pairs.length; at += 2) {
      this.setIn(a, pairs[at] as number, pairs[at + 1] as number);
    }
  }

  /** The table of a small group; null for a large one. */
  private openSmall(address: number): CellTable | null {
    const group = this.small.openChunk(address);
    return group.own === HEADER_MARK ? null : group;
  }

  private addToSize(change: number): void {
    this.heap.setWord(0, SIZE, this.heap.word(0, SIZE) + change);
  }
}

/** The word of the heap's first page that counts the pairs. */
const SIZE = OWN_WORDS;
/** One more than the largest first number. */
const GROUPS_END = OWN_WORDS + 1;
