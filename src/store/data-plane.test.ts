import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChanges, buildSwap, buildToken } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { StoreError } from '../model/errors.ts';
import { asPriceE18, asRawAmount } from '../model/units.ts';
import { openDataPlane } from './data-plane.ts';
import { deleteRows } from './sql/deployment.ts';

describe.each(transports)('the data plane %s', (_, open) => {
  const opened = useDataPlane(open);

  test('accepts any text and any integer as a parameter, unchanged', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', "'", '\t', '\n', '\r', '\0', ';', '{s:String}', 'n'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n), async (s, n) => {
        const [row] = await opened.plane.fast.rows(
          'SELECT base64Encode({s:String}) AS s, {n:Int128} AS n',
          { s, n },
        );
        expect(row).toEqual({ s: Buffer.from(s).toString('base64'), n: n.toString() });
      }),
      {
        numRuns: 60,
        examples: [
          ['\\N', 0n],
          ["' OR 1=1 --", 1n],
          ['\\', -1n],
        ],
      },
    );
  });

  test('stores text and integers of every width, unchanged', async () => {
    const pool = address('widths');
    const name = 'tab\tline\nback\\slash "quote" é😀 \\N null';
    const big = asRawAmount(2n ** 127n - 1n);
    const price = asPriceE18(2n ** 255n - 1n);
    const swap = buildSwap(pool, 'widths', {
      price,
      priceUsd: asPriceE18(-price - 1n),
      swap: { poolBaseDelta: big, poolQuoteDelta: asRawAmount(-big - 1n) },
    });
    const token = buildToken(address('widths'), { name });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { swaps: [swap], tokens: [token] })],
      epoch: 1,
    });
    const [row] = await opened.plane.fast.rows(
      'SELECT price, price_usd, pool_base_delta, pool_quote_delta FROM swaps WHERE pool = {pool:String}',
      { pool },
    );
    expect(row).toEqual({
      price: price.toString(),
      price_usd: (-price - 1n).toString(),
      pool_base_delta: big.toString(),
      pool_quote_delta: (-big - 1n).toString(),
    });
    const [named] = await opened.plane.fast.rows(
      'SELECT name FROM tokens WHERE mint = {mint:String}',
      {
        mint: token.mint,
      },
    );
    expect(named).toEqual({ name });
  });

  test.each([
    ['newer', { number: 1_000, name: 'later', checksum: 'x' }, 'written by a newer version'],
    ['different', { number: 1, name: 'first-tables', checksum: 'x' }, 'another migration 1'],
  ])('refuses data with a %s migration and says the way out', async (_, migration, sentence) => {
    const restore = await opened.plane.writer.rows(
      'SELECT number, name, checksum, version FROM schema_migrations FINAL',
    );
    const [version] = restore as { version: string }[];
    const columns = ['number', 'name', 'checksum', 'version'];
    const row = [...Object.values(migration), 2 + Number(version?.version)];
    await opened.plane.writer.insert(
      'schema_migrations',
      columns,
      Buffer.from(JSON.stringify(row)),
    );
    const failure = openDataPlane(opened.location);
    await expect(failure).rejects.toThrow(StoreError);
    await expect(failure).rejects.toThrow(sentence);
    await expect(failure).rejects.toThrow('or name another data folder');
    await opened.plane.writer.command(
      deleteRows('schema_migrations', 'version > 1', opened.plane.deployment, true),
    );
  });
});
