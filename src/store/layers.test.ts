import { describe, expect, test } from 'vitest';
import { buildChanges, buildFacts, buildToken } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { asSlot } from '../model/units.ts';
import { Layers } from './layers.ts';
import { ChangedRecords } from './reads/changed-records.ts';
import { SlotLog } from './reads/slot-log.ts';
import { rowVersion } from './sql/row-version.ts';

/**
 * Fold 1 has changed six tokens; fold 2 replaces its rows after slot 12. `stays` never changed
 * again, `fresh` changed in fold 2 only, `both` in both, `lost` in fold 1 only after 12, `gone` was
 * created by fold 1 after 12, `born` by fold 2.
 */
describe.each(transports)('layers %s', (_, open) => {
  const opened = useDataPlane(open);
  const pair = { base: 1, top: 2, through: rowVersion(1, 12) };
  const names = ['stays', 'fresh', 'both', 'lost', 'gone', 'born'];

  const write = (epoch: number, slot: number, symbols: Readonly<Record<string, string>>) =>
    opened.writer.writeBatch({
      slots: [],
      changes: [
        buildChanges(slot, {
          tokens: Object.entries(symbols).map(([name, symbol]) =>
            buildToken(address(name), { symbol }),
          ),
        }),
      ],
      epoch,
    });
  const layers = () =>
    new Layers({ lane: opened.plane.heavy, deployment: opened.plane.deployment });
  /** The symbols that queries return, by name of the token, each as often as it is returned. */
  const symbols = async (base: { epoch: number; through: string } | null, top: number) => {
    const visible = { epoch: top, layers: { top, base } };
    const query = { epoch: top, afterSlot: null, throughSlot: asSlot(99), limit: 99 } as const;
    const changed = new ChangedRecords(opened.plane.heavy, visible);
    const found: Record<string, string> = {};
    for (const { mint, symbol } of await changed.tokens({ ...query, afterAddress: '' })) {
      const name = names.find((one) => address(one) === mint) ?? mint;
      found[name] = `${found[name] ?? ''}${symbol}`;
    }
    return found;
  };
  const shown = { stays: 'a', fresh: 'r', both: 'q', lost: 'c', born: 'n' };

  test('are invisible until they are named, also while their rows are completed', async () => {
    await write(1, 10, { stays: 'a', fresh: 'f', both: 'b', lost: 'c' });
    await write(1, 20, { both: 'x', lost: 'y', gone: 'z' });
    await write(2, 15, { fresh: 'r', both: 'q', born: 'n' });
    const before = { stays: 'a', fresh: 'f', both: 'x', lost: 'y', gone: 'z' };
    expect(await symbols(null, 1)).toEqual(before);
    const lost = await layers().lost('tokens', ['symbol'], pair, 99);
    expect(lost.map(({ symbol }) => symbol).sort()).toEqual(['y', 'z']);
    await opened.plane.writer.command(
      `INSERT INTO tokens SELECT * REPLACE (2 AS epoch, ${rowVersion(2, 12)} AS version) ` +
        "FROM (SELECT * FROM tokens WHERE epoch = 1 AND symbol = 'c')",
    );
    await layers().cover(pair);
    expect(await symbols(null, 1)).toEqual(before);
  });

  test('show each key once: rows up to the slot below, and those of the fold above', async () => {
    expect(await symbols({ epoch: 1, through: pair.through }, 2)).toEqual(shown);
  });

  test('show the same while they are merged, also when that is repeated, and afterwards in one', async () => {
    await layers().merge(pair);
    expect(await symbols({ epoch: 1, through: pair.through }, 2)).toEqual(shown);
    await layers().merge(pair);
    expect(await symbols({ epoch: 1, through: pair.through }, 2)).toEqual(shown);
    const merged = { epoch: 2, layers: { top: 1, base: null } };
    const query = { epoch: 2, afterSlot: null, throughSlot: asSlot(99), limit: 99 } as const;
    const changed = new ChangedRecords(opened.plane.heavy, merged);
    const found = await changed.tokens({ ...query, afterAddress: '' });
    expect(found.map(({ symbol }) => symbol).sort()).toEqual(Object.values(shown).sort());
    const since = await changed.tokens({ ...query, afterSlot: asSlot(12), afterAddress: '' });
    expect(since.map(({ symbol }) => symbol).sort()).toEqual(['n', 'q', 'r']);
  });

  test('that are no longer visible are removed, and no other, and the log is kept', async () => {
    await opened.writer.writeBatch({ slots: [buildFacts(40)], changes: [], epoch: 2 });
    await layers().retain(1);
    const others = () => opened.plane.heavy.rows('SELECT 1 FROM tokens WHERE epoch != 1');
    await expect.poll(others).toEqual([]);
    const rows = await opened.plane.heavy.rows<{ symbol: string }>(
      'SELECT symbol FROM tokens FINAL WHERE epoch = 1',
    );
    expect(rows.map(({ symbol }) => symbol).sort()).toEqual(Object.values(shown).sort());
    expect(await new SlotLog(opened.plane.heavy).find(40)).toEqual(buildFacts(40));
  });
});
