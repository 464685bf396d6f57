import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowTable } from '../../../lib/row-table.ts';
import { countBuySize, modalSize, sizeCode } from './buy-sizes.ts';
import { WALLET_FIELDS, WALLET_LAYOUT } from './wallet-row.ts';

function sizesOf(lamports: readonly bigint[]) {
  const rows = new RowTable(WALLET_LAYOUT);
  const row = rows.add();
  for (const each of lamports) countBuySize(rows, row, each);
  return { modal: modalSize(rows, row), buys: rows.number(row, WALLET_FIELDS.sizedBuys) };
}

const sol = (amount: number) => BigInt(Math.round(amount * 1e9));

test.each([
  [0.05, true],
  [0.1, true],
  [0.25, true],
  [1, true],
  [1.5, true],
  [99, true],
  [0.125, false],
  [0.137, false],
  [1.01, false],
])('%d SOL is round: %s', (amount, isRound) => {
  expect(sizesOf([sol(amount)]).modal).toMatchObject({ isRound, count: 1 });
});

test('amounts that differ only after the third digit have the same size', () => {
  expect(sizesOf([sol(0.13712), sol(0.13698), sol(0.138)]).modal).toEqual({
    lamports: 137_000_000,
    count: 2,
    isRound: false,
  });
});

test('sizes that differ by a power of ten are different', () => {
  const codes = [99n, 100n, 999n, 1_000n, 10_000n, 999_499n, 10n ** 18n].map(sizeCode);
  expect(new Set(codes).size).toBe(codes.length);
  expect(sizeCode(999_600n)).toBe(sizeCode(1_000_000n));
  expect(Math.max(...codes)).toBeLessThan(2 ** 16);
  expect([0n, -5n].map(sizeCode)).toEqual([0, 0]);
  expect(sizeCode(2n ** 64n - 1n)).toBe(sizeCode(10n ** 18n));
});

test('a count is never too high, exact up to five sizes, and misses at most a sixth of all', () => {
  const draw = (kinds: number) =>
    fc.array(fc.integer({ min: 101, max: 100 + kinds }), { minLength: 1, maxLength: 300 });
  const check = (sizes: readonly number[], missedMax: number) => {
    const truth = new Map<number, number>();
    for (const size of sizes) truth.set(size, (truth.get(size) ?? 0) + 1);
    const { modal, buys } = sizesOf(sizes.map(BigInt));
    expect(buys).toBe(sizes.length);
    const most = Math.max(...truth.values());
    expect(modal.count).toBeLessThanOrEqual(truth.get(modal.lamports) ?? 0);
    expect(most - modal.count).toBeLessThanOrEqual(missedMax);
  };
  fc.assert(fc.property(draw(5), (sizes) => check(sizes, 0)));
  fc.assert(fc.property(draw(40), (sizes) => check(sizes, sizes.length / 6)));
});

test('a hundred thousand equal buys have a single size', () => {
  const { modal, buys } = sizesOf(Array.from({ length: 100_000 }, () => 137n));
  expect(modal.count).toBe(buys);
});
