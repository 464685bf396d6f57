import { describe, expect, test } from 'vitest';
import { buildChanges, buildToken } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { Epochs } from './epochs.ts';
import { StoredRecords } from './reads/records.ts';

describe.each(transports)('epochs %s', (_, open) => {
  const opened = useDataPlane(open);

  const mint = address('epochs');
  const symbolAt = async (epoch: number) =>
    (await new StoredRecords(opened.plane.fast, { epoch }).token(mint))?.symbol;
  const write = (epoch: number, symbol: string, slot: number) =>
    opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(slot, { tokens: [buildToken(mint, { symbol })] })],
      epoch,
    });

  test('do not see each other’s rows while one is written', async () => {
    await write(11, 'OLD', 50);
    await write(12, 'NEW', 40);
    expect([await symbolAt(11), await symbolAt(12)]).toEqual(['OLD', 'NEW']);
  });

  test('leave no rows of an abandoned fold', async () => {
    const epochs = new Epochs(opened.plane.heavy, opened.plane.deployment);
    await epochs.prepare(12);
    expect([await symbolAt(11), await symbolAt(12)]).toEqual(['OLD', undefined]);
    await write(12, 'AGAIN', 40);
    expect(await symbolAt(12)).toBe('AGAIN');
  });
});
