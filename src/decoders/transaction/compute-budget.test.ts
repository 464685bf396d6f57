import { describe, expect, test } from 'vitest';
import { concat, u8, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../model/program.ts';
import { readComputeBudget } from './compute-budget.ts';

const LIMIT = budget(u8(2), u32(100_000));
const PRICE = budget(u8(3), u64(315_000n));
const NOTHING = { unitLimit: null, unitPriceMicroLamports: null, priorityFeeLamports: null };

describe('readComputeBudget', () => {
  test('reads limit and price', () => {
    expect(read(LIMIT, PRICE)).toEqual({
      unitLimit: 100_000,
      unitPriceMicroLamports: 315_000n,
      priorityFeeLamports: null,
    });
  });

  test('leaves settings unknown that the transaction does not contain', () => {
    expect(read()).toEqual(NOTHING);
    expect(read(budget(u8(1), u32(65_536)), budget(u8(4), u32(9)))).toEqual(NOTHING);
  });

  test('reads the largest price a transaction can state', () => {
    const price = 2n ** 64n - 1n;
    expect(read(budget(u8(3), u64(price))).unitPriceMicroLamports).toBe(price);
  });

  test('does not read past the end of the data', () => {
    expect(read(budget(u8(2), u8(1)), budget(u8(3), u32(1)), budget())).toEqual(NOTHING);
  });

  test('ignores the same bytes sent to another program or from within a call', () => {
    const other = { ...LIMIT, program: address('other') };
    expect(read(other, { program: address('caller'), inner: [LIMIT] }).unitLimit).toBeNull();
  });

  test('uses the config of a v1 transaction and not its instructions, as in SIMD-0385', () => {
    const built = buildTransaction({ signers: [address('wallet')], instructions: [LIMIT, PRICE] });
    const config = { priorityFeeLamports: 7_000n, computeUnitLimit: 450_000 };
    expect(readComputeBudget({ ...built, version: 1, config })).toEqual({
      unitLimit: 450_000,
      unitPriceMicroLamports: null,
      priorityFeeLamports: 7_000n,
    });
    expect(readComputeBudget({ ...built, version: 1, config: null })).toEqual(NOTHING);
  });
});

function budget(...parts: readonly Uint8Array[]): InstructionDraft {
  return { program: COMPUTE_BUDGET_PROGRAM, data: concat(...parts) };
}

function read(...instructions: readonly InstructionDraft[]) {
  return readComputeBudget(buildTransaction({ signers: [address('wallet')], instructions }));
}
