import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryPageStore } from '../../../tests/support/memory-page-store.ts';
import { UndoLog } from '../undo-log.ts';
import { firstWordOf } from './page-frames.ts';
import { PagePool } from './page-pool.ts';
import type { PageSpace } from './page-space.ts';

/** From page 2^27 on, numbers of blocks exceed 32 bits. */
const PAGES = [2 ** 27 + 4, 2 ** 27 + 3, 4, 3];
/** Words of the first and the last blocks of a page. */
const WORDS = [0, 1, 9, 128, 247, 255];
const SPACES = 2;

const at = fc.tuple(fc.nat(SPACES - 1), fc.constantFrom(...PAGES), fc.constantFrom(...WORDS));
const write = fc.tuple(at, fc.nat(2 ** 32 - 1));
type At = readonly [space: number, page: number, word: number];
type Write = readonly [at: At, value: number];
const slots = fc.array(
  fc.record({ writes: fc.array(write, { maxLength: 8 }), isUndone: fc.boolean() }),
  { maxLength: 12 },
);

/** A pool with some spaces. */
class Pages {
  readonly pool: PagePool;
  readonly undo: UndoLog;
  private readonly spaces: readonly PageSpace[];

  constructor(pool = new PagePool()) {
    this.pool = pool;
    this.undo = new UndoLog(100, pool);
    this.spaces = Array.from({ length: SPACES }, (_, space) => pool.createSpace(`space ${space}`));
  }

  writeAll(writes: readonly Write[]): void {
    for (const each of writes) this.write(each);
  }

  contents(): Map<string, number> {
    const found = new Map<string, number>();
    for (let space = 0; space < SPACES; space++) {
      for (const page of PAGES) {
        const frame = this.frameOf(space, page);
        const { words } = this.pool.frames.slabOf(frame);
        for (const word of WORDS) {
          const value = words[firstWordOf(frame) + word] as number;
          if (value !== 0) found.set(`${space} ${page} ${word}`, value);
        }
      }
    }
    return found;
  }

  sums(): string[] {
    return this.pool.spaceNames.map((_, space) => this.pool.sumOf(space));
  }

  private write([[space, page, word], value]: Write): void {
    const frame = this.frameOf(space, page);
    this.pool.change(frame, 1 << (word >>> 3));
    this.pool.frames.slabOf(frame).words[firstWordOf(frame) + word] = value;
  }

  private frameOf(space: number, page: number): number {
    return this.spaces[space]?.frameOf(page) ?? expect.fail('there is no such space');
  }
}

function written(before: ReadonlyMap<string, number>, writes: readonly Write[]) {
  const after = new Map(before);
  for (const [[space, page, word], value] of writes) {
    if (value === 0) after.delete(`${space} ${page} ${word}`);
    else after.set(`${space} ${page} ${word}`, value);
  }
  return after;
}

/** Makes changes in a record, in which the contents of before can still be read. */
function applyRecorded(pages: Pages, writes: readonly Write[], before: Map<string, number>): void {
  const { undo, pool } = pages;
  undo.open();
  pages.writeAll(writes);
  expect(undo.asOfOpening(() => pages.contents())).toEqual(before);
  expect(pages.contents()).toEqual(written(before, writes));
  undo.close();
  pool.advance();
  pool.trim();
}

describe('pages whose blocks have numbers beyond 32 bits', () => {
  test('are undone, shown as before a slot, evicted and summed like any others', () => {
    const empty = new Pages().sums();
    fc.assert(
      fc.property(slots, (drawn) => {
        const small = new Pages(new PagePool({ pagesMax: 1, store: new MemoryPageStore() }));
        const calm = new Pages();
        let expected = new Map<string, number>();
        for (const { writes, isUndone } of drawn) {
          applyRecorded(small, writes, expected);
          if (isUndone) small.undo.undo();
          else expected = written(expected, writes);
          expect(small.contents()).toEqual(expected);
        }
        for (const { writes } of drawn.filter(({ isUndone }) => !isUndone)) calm.writeAll(writes);
        expect(small.sums()).toEqual(calm.sums());
        while (small.undo.size > 0) small.undo.undo();
        expect(small.sums()).toEqual(empty);
      }),
      { numRuns: 20 },
    );
  });
});
