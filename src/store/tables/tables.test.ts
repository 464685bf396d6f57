import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryChanges, arbitraryFacts } from '../../../tests/support/arbitrary-changes.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { hasTrader } from '../../model/derived.ts';
import { asSlot } from '../../model/units.ts';
import { ORGANIC_SWAPS } from '../migrations/0003-wallets.ts';
import { FOUND_SLOTS } from '../migrations/0004-classifications.ts';
import { PRICING_VOLUMES } from '../migrations/0007-pricing-volumes.ts';
import { TRADED_VOLUMES } from '../migrations/0008-traded-volumes.ts';
import { BUNDLE_GROUPS } from '../migrations/0010-bundle-groups.ts';
import { TRADE_COLUMNS } from '../migrations/0011-trades.ts';
import { LISTED_FINDINGS } from '../migrations/0012-listed-findings.ts';
import { RULE_HIT_CONFIDENCE } from '../migrations/0014-rule-hit-confidence.ts';
import { SLOT_TABLES } from '../migrations/tables.ts';
import type { Table } from '../sql/table.ts';
import { DERIVED_ROWS } from './derived-rows.ts';
import { slotLogTable } from './slot-log-table.ts';
import { solPriceTable } from './state-tables.ts';
import { swapByTokenTable, swapByWalletTable } from './swap-tables.ts';

/** Tables that store a part of their records. */
const PARTIAL = [swapByTokenTable.name, swapByWalletTable.name];

const TABLES = [slotLogTable, ...DERIVED_ROWS.map(({ table }) => table)];

/** A failing run is not shrunk: every run writes to all tables. */
const RUNS = { numRuns: 10, endOnFailure: true };

const ADDED = [
  ...[ORGANIC_SWAPS, FOUND_SLOTS],
  ...[...PRICING_VOLUMES, ...TRADED_VOLUMES, ...BUNDLE_GROUPS, ...TRADE_COLUMNS],
  ...[...LISTED_FINDINGS, ...RULE_HIT_CONFIDENCE],
];

const nameIn = (declaration: string) => declaration.split(' ')[0];

/** The columns that migrations create, without those that order the versions of a row. */
function migratedColumns(name: string): (string | undefined)[] {
  const created = SLOT_TABLES.filter((table) => table.name === name);
  const added = ADDED.filter(({ table }) => table === name);
  return [...created.flatMap(({ columns }) => columns), ...added.map(({ column }) => column)]
    .map(nameIn)
    .filter((column) => column !== 'epoch' && column !== 'version')
    .sort();
}

describe('described tables', () => {
  test('are those that the migrations create', () => {
    const names = SLOT_TABLES.map(({ name }) => name);
    expect(TABLES.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test.each(TABLES)('$name has the columns that the migrations create', ({ name, columns }) => {
    expect([...columns].sort()).toEqual(migratedColumns(name));
  });

  test('refuse a row in which a column is missing', () => {
    expect(() => solPriceTable.read({ minute_ms: '1', usd: '2' })).toThrow(
      new TypeError('the row has no column slot'),
    );
  });
});

describe.each(transports)('rows %s', (_, open) => {
  const opened = useDataPlane(open);

  async function rowsOf<Read>({ name, columns, read }: Table<never, Read>, condition: string) {
    const rows = await opened.plane.heavy.rows<Parameters<typeof read>[0]>(
      `SELECT ${columns.join(', ')} FROM ${name} FINAL WHERE ${condition}`,
    );
    return rows.map(read);
  }

  /** Compared without their order. */
  function expectSame(read: readonly unknown[], written: readonly unknown[]): void {
    expect(read).toHaveLength(written.length);
    expect(read).toEqual(expect.arrayContaining([...written]));
  }

  test('of any records are read as they were written', async () => {
    let epoch = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryChanges, async (changes) => {
        const ofEpoch = `epoch = ${++epoch}`;
        await opened.writer.writeBatch({ slots: [], changes: [changes], epoch });
        for (const { table, storedOf } of DERIVED_ROWS) {
          if (PARTIAL.includes(table.name)) continue;
          expectSame(await rowsOf(table, ofEpoch), storedOf(changes));
        }
        for (const [table, stored] of [
          [swapByTokenTable, changes.swaps],
          [swapByWalletTable, changes.swaps.filter(hasTrader)],
        ] as const) {
          const read = await rowsOf(table, ofEpoch);
          expect(read).toHaveLength(stored.length);
          for (const row of read) {
            const written = stored.find(({ swap }) => swap.pool === row.swap.pool);
            expect(written).toMatchObject(row);
          }
        }
      }),
      RUNS,
    );
  });

  test('of any slots are read as they were written', async () => {
    let from = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryFacts, async (facts) => {
        from += 2 ** 32;
        const slots = facts.map((one) => ({ ...one, slot: asSlot(from + one.slot) }));
        await opened.writer.writeBatch({ slots, changes: [], epoch: 1 });
        expectSame(await rowsOf(slotLogTable, `slot >= ${from}`), slots);
      }),
      RUNS,
    );
  });
});
