import { beforeAll, describe, expect, test } from 'vitest';
import { buildBundle, buildChanges } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { asLamports, asSlot, type Slot } from '../../model/units.ts';
import { type BundleOrder, BundlePages } from './bundles.ts';

describe.each(transports)('A-15 bundled transactions %s', (_, open) => {
  const opened = useDataPlane(open);
  const visible = { epoch: 1 };
  const mint = address('bundled');
  // By slot, index and owner; c and d tie on everything but the owner.
  const items = [
    buildBundle(mint, 'a', { slot: asSlot(5), txIndex: 1, lamports: asLamports(10n) }),
    buildBundle(mint, 'b', { slot: asSlot(5), txIndex: 2, lamports: asLamports(30n) }),
    buildBundle(mint, 'c', { slot: asSlot(6), txIndex: 0, lamports: asLamports(20n) }),
    buildBundle(mint, 'd', { slot: asSlot(6), txIndex: 0, lamports: asLamports(20n) }),
  ];
  const page = (
    orderBy: BundleOrder,
    orderDir: 'asc' | 'desc',
    given: { offset?: number; limit?: number; asOfSlot?: Slot } = {},
  ) =>
    new BundlePages(opened.plane.fast, visible).page({
      mint,
      orderBy,
      orderDir,
      offset: 0,
      limit: 20,
      asOfSlot: null,
      ...given,
    });
  const namesOf = ({ items }: Awaited<ReturnType<typeof page>>) =>
    items.map(({ owner }) => owner).join('');

  beforeAll(async () => {
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(6, { bundles: items.toReversed() })],
      epoch: 1,
    });
  });

  test.each([
    ['slot', 'asc', 'abcd'],
    ['slot', 'desc', 'cdab'],
    ['solana_amount', 'asc', 'acdb'],
    ['solana_amount', 'desc', 'bcda'],
    ['transaction_id', 'desc', 'dcba'],
    ['signing_address', 'asc', 'abcd'],
  ] as const)(
    'ordered by %s %s come as %s, ties by slot, index and signer',
    async (by, dir, names) => {
      expect(namesOf(await page(by, dir))).toBe(names);
    },
  );

  test('are paged without repeats or omissions', async () => {
    const pages = [0, 1, 2, 3].map((offset) => page('slot', 'desc', { offset, limit: 1 }));
    expect((await Promise.all(pages)).map(namesOf).join('')).toBe('cdab');
  });

  test('past the end are empty, with the right total', async () => {
    expect(await page('slot', 'asc', { offset: 4 })).toEqual({ items: [], total: 4 });
    expect(await page('slot', 'asc', { limit: 0 })).toEqual({ items: [], total: 4 });
  });

  test('as of a slot are those found up to it', async () => {
    expect(namesOf(await page('slot', 'asc', { asOfSlot: asSlot(5) }))).toBe('ab');
    expect(await page('slot', 'asc', { asOfSlot: asSlot(4) })).toEqual({ items: [], total: 0 });
  });

  test('have slot, index, signature, owner and lamports', async () => {
    expect((await page('slot', 'asc', { limit: 1 })).items).toEqual([
      { slot: 5, txIndex: 1, signature: 'a', owner: 'a', lamports: 10n },
    ]);
  });
});
