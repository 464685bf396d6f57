import { describe, expect, test } from 'vitest';
import { buildChanges, buildPool, buildToken } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { ChangedRecords } from './changed-records.ts';

describe.each(transports)('records that changed between two slots %s', (_, open) => {
  const opened = useDataPlane(open);
  const [first, second, third, fourth, fifth] = ['a', 'b', 'c', 'd', 'e']
    .map((word) => address(word))
    .toSorted();
  const span = (afterSlot: number | null, throughSlot: number) => ({
    epoch: 1,
    afterSlot: afterSlot === null ? null : asSlot(afterSlot),
    throughSlot: asSlot(throughSlot),
    afterAddress: '' as const,
    limit: 10,
  });

  test('are returned once, by the slot that changed them last, in pages in order of address', async () => {
    const at = (slot: number, mint: Address | undefined, name: string) =>
      buildChanges(slot, { tokens: mint === undefined ? [] : [buildToken(mint, { name })] });
    await opened.writer.writeBatch({
      slots: [],
      changes: [
        at(100, first, 'old'),
        at(101, second, 'b'),
        at(102, third, 'c'),
        at(103, first, 'new'),
        at(104, fourth, 'd'),
        at(105, fifth, 'later'),
      ],
      epoch: 1,
    });
    await opened.writer.writeBatch({
      slots: [],
      changes: [at(102, second, 'of another fold')],
      epoch: 2,
    });
    const changed = new ChangedRecords(opened.plane.heavy, { epoch: 0 });
    const names = async (query: ReturnType<typeof span>) =>
      (await changed.tokens(query)).map(({ name }) => name);
    expect(await names(span(null, 104))).toEqual(['new', 'b', 'c', 'd']);
    expect(await names(span(101, 104))).toEqual(['new', 'c', 'd']);
    expect(await names(span(104, 104))).toEqual([]);
    const page = await changed.tokens({ ...span(null, 104), limit: 2 });
    expect(page.map(({ mint }) => mint)).toEqual([first, second]);
    const next = await changed.tokens({ ...span(null, 104), limit: 2, afterAddress: second ?? '' });
    expect(next.map(({ mint }) => mint)).toEqual([third, fourth]);
  });

  test('include pools', async () => {
    const pool = buildPool(address('pool'), address('a'), { migratedTo: address('b') });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(110, { pools: [pool] })],
      epoch: 1,
    });
    const changed = new ChangedRecords(opened.plane.heavy, { epoch: 0 });
    expect(await changed.pools(span(109, 110))).toEqual([pool]);
  });
});
