import { getSolanaErrorFromTransactionError } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBincode } from '../../../tests/support/protobuf-blocks.ts';
import { transactionErrorText } from './transaction-error.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const u32 = (value: number) => hex(Buffer.from(Uint32Array.of(value).buffer).toString('hex'));

/** Source of @solana/kit, which lists the variants of the runtime's enums in their order. */
function codeOf(text: string): number {
  return getSolanaErrorFromTransactionError(JSON.parse(text) as never).context.__code;
}

describe('transactionErrorText', () => {
  test.each([
    ['07000000', '"BlockhashNotFound"'],
    ['08000000 02 19000000 29000000', '{"InstructionError":[2,{"Custom":41}]}'],
    ['08000000 00 19000000 ffffffff', '{"InstructionError":[0,{"Custom":4294967295}]}'],
    ['08000000 05 25000000', '{"InstructionError":[5,"ComputationalBudgetExceeded"]}'],
    ['08000000 01 2c000000', '{"InstructionError":[1,"BorshIoError"]}'],
    [
      '08000000 01 2c000000 0500000000000000 4f68206e6f',
      '{"InstructionError":[1,{"BorshIoError":"Oh no"}]}',
    ],
    ['1e000000 03', '{"DuplicateInstruction":3}'],
    ['1f000000 04', '{"InsufficientFundsForRent":{"account_index":4}}'],
    ['23000000 ff', '{"ProgramExecutionTemporarilyRestricted":{"account_index":255}}'],
  ])('reads %s as getBlock shows it', (bytes, expected) => {
    expect(transactionErrorText(hex(bytes))).toBe(expected);
  });

  test('names every variant in the order in which @solana/kit lists them', () => {
    for (let variant = 0; variant <= 36; variant++) {
      if (variant === 8) continue;
      const text = transactionErrorText(Buffer.concat([u32(variant), Buffer.of(1)]));
      expect(codeOf(text), text).toBe(7_050_001 + (variant > 8 ? variant - 1 : variant));
    }
    for (let variant = 0; variant <= 53; variant++) {
      const custom = variant === 25 ? u32(6_001) : Buffer.alloc(0);
      const bytes = Buffer.concat([u32(8), Buffer.of(3), u32(variant), custom]);
      const text = transactionErrorText(bytes);
      expect(codeOf(text), text).toBe(4_615_001 + variant);
      expect(Buffer.from(toBincode(JSON.parse(text)))).toEqual(bytes);
    }
  });

  test.each([
    ['', 'nothing'],
    ['0700', 'half a variant'],
    ['27000000', 'a variant after the last one known'],
    ['08000000 02', 'no instruction error'],
    ['08000000 02 36000000', 'an instruction error after the last one known'],
    ['08000000 02 19000000 2900', 'half a custom error'],
    ['08000000 01 2c000000 ffffffffffffffff 41', 'a text that is missing'],
    ['1e000000', 'no instruction index'],
  ])('returns the bytes themselves for %s: %s', (bytes) => {
    const unknown = JSON.stringify({ Unknown: bytes.replaceAll(' ', '') });
    expect(transactionErrorText(hex(bytes))).toBe(unknown);
  });

  test('is JSON for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(JSON.parse(transactionErrorText(bytes))).not.toBeNull();
      }),
    );
  });
});
