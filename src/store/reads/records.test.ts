import { describe, expect, test } from 'vitest';
import { buildChanges, buildPool } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { StoredRecords } from './records.ts';

describe.each(transports)('stored records %s', (_, open) => {
  const opened = useDataPlane(open);
  const visible = { epoch: 1 };

  test('finds a pool as it was written', async () => {
    const pool = buildPool(address('found'), address('mint'), {
      price: asPriceE18(5n),
      buyVolumeUsd: asUsdNano(2n ** 70n),
      reserves: {
        base: asRawAmount(2n ** 64n),
        quote: asRawAmount(1n),
        virtualBase: null,
        virtualQuote: asRawAmount(0n),
      },
    });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { pools: [pool] })],
      epoch: 1,
    });
    expect(await new StoredRecords(opened.plane.fast, visible).pool(pool.pool)).toEqual(pool);
  });
});
