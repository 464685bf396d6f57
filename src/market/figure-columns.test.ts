import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import type { Address } from '../model/units.ts';
import { FigureColumns, type FigurePosition, type FigureSelection } from './figure-columns.ts';

type Figure = 'volume' | 'holders';
interface Row {
  readonly address: Address;
  readonly volume: number | null;
  readonly holders: number | null;
}

const rowsOf = fc
  .array(
    fc.record({
      volume: fc.option(fc.nat(5)),
      holders: fc.option(fc.nat(3)),
    }),
    { maxLength: 60 },
  )
  .map((drawn) => drawn.map((figures, at) => ({ address: address(`token ${at}`), ...figures })));

const orders = fc.record({
  orderBy: fc.constantFrom<Figure>('volume', 'holders'),
  orderDir: fc.constantFrom('asc' as const, 'desc' as const),
  min: fc.option(fc.nat(3)),
  max: fc.option(fc.nat(3)),
});
type Order = typeof orders extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function columnsOf(rows: readonly Row[]): FigureColumns<Figure> {
  const columns = new FigureColumns<Figure>(['volume', 'holders']);
  for (const row of rows) put(columns, row);
  return columns;
}

function put(columns: FigureColumns<Figure>, { address: of, volume, holders }: Row): void {
  const row = columns.ensure(of);
  columns.set(row, 'volume', volume);
  columns.set(row, 'holders', holders);
}

function selectionOf(
  { orderBy, orderDir, min, max }: Order,
  given: Partial<FigureSelection<Figure>> = {},
): FigureSelection<Figure> {
  const ranges = min === null && max === null ? [] : [{ figure: 'holders' as const, min, max }];
  const whole = { after: null, offset: 0, limit: 1_000, matches: () => true };
  return { ranges, orderBy, orderDir, ...whole, ...given };
}

/** Filters and sorts the rows one by one. */
function naive(rows: readonly Row[], { orderBy, orderDir, min, max }: Order): Address[] {
  const inRange = rows.filter(({ holders }) => {
    if (min === null && max === null) return true;
    return holders !== null && holders >= (min ?? 0) && holders <= (max ?? 99);
  });
  const sign = orderDir === 'asc' ? 1 : -1;
  const unknownLast = (value: number | null) => (value === null ? 1_000 : sign * value);
  return inRange
    .toSorted((one, other) => {
      const order = unknownLast(one[orderBy]) - unknownLast(other[orderBy]);
      return order || (one.address < other.address ? -1 : 1);
    })
    .map((row) => row.address);
}

function pagesOf(
  columns: FigureColumns<Figure>,
  order: Order,
  { limit, between = () => undefined }: { readonly limit: number; readonly between?: () => void },
): Address[] {
  const all: Address[] = [];
  let after: FigurePosition | null = null;
  do {
    const page = columns.select(selectionOf(order, { after, limit }));
    all.push(...page.rows.map((row) => columns.addressOf(row)));
    after = page.next;
    between();
  } while (after !== null);
  return all;
}

describe('columns of figures', () => {
  test('are filtered and ranked as a sorted list would be, unknown last both ways', () => {
    fc.assert(
      fc.property(rowsOf, orders, fc.nat(70), fc.nat(20), (rows, order, offset, limit) => {
        const columns = columnsOf(rows);
        const expected = naive(rows, order);
        const page = columns.select(selectionOf(order, { offset, limit }));
        expect(page.rows.map((row) => columns.addressOf(row))).toEqual(
          expected.slice(offset, offset + limit),
        );
        expect(page.total).toBe(expected.length);
      }),
    );
  });

  test('make the same list in pages of any size', () => {
    fc.assert(
      fc.property(rowsOf, orders, fc.integer({ min: 1, max: 9 }), (rows, order, limit) => {
        expect(pagesOf(columnsOf(rows), order, { limit })).toEqual(naive(rows, order));
      }),
    );
  });

  test('show every row that does not change exactly once while others move, come and go', () => {
    const moves = fc.array(fc.record({ at: fc.nat(59), volume: fc.option(fc.nat(5)) }));
    fc.assert(
      fc.property(rowsOf, orders, moves, (rows, order, moved) => {
        const columns = columnsOf(rows);
        const waiting = [...moved];
        const touched = new Set<Address>();
        const seen = pagesOf(columns, order, {
          limit: 3,
          between: () => {
            const move = waiting.pop();
            const row = rows[move?.at ?? -1];
            if (move === undefined || row === undefined) return;
            touched.add(row.address);
            if (move.volume === 0) columns.remove(row.address);
            else put(columns, { ...row, volume: move.volume, holders: move.volume });
          },
        });
        const still = (some: readonly Address[]) => some.filter((one) => !touched.has(one));
        expect(still(seen)).toEqual(still(naive(rows, order)));
      }),
    );
  });

  test('use the row of a removed address again, without its figures', () => {
    const columns = columnsOf([{ address: address('old'), volume: 4, holders: 2 }]);
    columns.remove(address('old'));
    expect(columns.find(address('old'))).toBe(-1);
    const row = columns.ensure(address('new'));
    expect([row, columns.get(row, 'volume'), columns.size]).toEqual([0, null, 1]);
  });

  test('rank many rows with few different values', () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      address: address(`token ${at}`),
      volume: at % 3 === 0 ? null : at % 2,
      holders: 1,
    }));
    const order = { orderBy: 'volume', orderDir: 'desc', min: null, max: null } as const;
    const page = columnsOf(rows).select(selectionOf(order, { offset: 1_500, limit: 10 }));
    const columns = columnsOf(rows);
    expect(page.rows.map((row) => columns.addressOf(row))).toEqual(
      naive(rows, order).slice(1_500, 1_510),
    );
  });

  test('rank figures that pass as if every row had its own', () => {
    fc.assert(
      fc.property(rowsOf, orders, (rows, order) => {
        // Rows without a volume have the usual one, which is 2.
        const columns = new FigureColumns<Figure>(['volume', 'holders'], {
          passing: { volume: 2 },
        });
        for (const { address: of, volume, holders } of rows) {
          const row = columns.ensure(of);
          columns.set(row, 'holders', holders);
          if (volume !== null) columns.set(row, 'volume', volume);
        }
        const full = rows.map((row) => ({ ...row, volume: row.volume ?? 2 }));
        expect(pagesOf(columns, order, { limit: 7 })).toEqual(naive(full, order));
      }),
    );
  });

  test('give a row that is used again the usual figures', () => {
    const columns = new FigureColumns<Figure>(['volume', 'holders'], { passing: { volume: 2 } });
    columns.set(columns.ensure(address('old')), 'volume', 9);
    columns.remove(address('old'));
    const row = columns.ensure(address('new'));
    expect(columns.get(row, 'volume')).toBe(2);
    columns.set(row, 'volume', 9);
    columns.resetPassing(row);
    expect(columns.get(row, 'volume')).toBe(2);
  });

  test('find the rows whose address begins with a text, of any length', () => {
    const words = Array.from({ length: 300 }, (_, at) => `${at % 7} token ${at}`);
    const columns = columnsOf(
      words.map((word) => ({ address: address(word), volume: 1, holders: 1 })),
    );
    const known = fc.constantFrom(...words).map(address);
    const prefixes = fc.oneof(
      fc.tuple(known, fc.nat(44)).map(([text, length]) => text.slice(0, length)),
      fc.tuple(known, fc.nat(44)).map(([text, length]) => text.slice(0, length).toLowerCase()),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(prefixes, (prefix) => {
        const isFound = columns.beginsWith(prefix);
        for (const word of words) {
          const of = address(word);
          expect(isFound(columns.find(of))).toBe(of.startsWith(prefix));
        }
      }),
      { numRuns: 60 },
    );
  });
});
