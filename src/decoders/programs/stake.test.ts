import { describe, expect, test } from 'vitest';
import { concat, u8, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { STAKE_PROGRAM } from '../../model/program.ts';

const [STAKE, AUTHORITY, PAYEE] = [address('stake'), address('authority'), address('payee')];
const SYSVAR = address('sysvar');
/** Rent of 200 bytes: (128 + 200) · 3,480 · 2. */
const RENT = 2_282_880n;

describe('the stake program', () => {
  test('pays with what its authority withdraws to somebody else, rent aside', () => {
    expect(withdraw(PAYEE, 7_000_000_000n, [7_000_000_000n, 0n])).toEqual({
      status: 'event',
      events: [
        {
          kind: 'solTransfer',
          ...{ outerIx: 0, innerIx: -1, transferKind: 'transfer' },
          ...{ from: AUTHORITY, to: PAYEE, lamports: 7_000_000_000n - RENT },
        },
      ],
    });
  });

  test('pays all that is withdrawn while the account stays', () => {
    expect(withdraw(PAYEE, 5n, [RENT + 9n, RENT + 4n])).toMatchObject({
      events: [{ lamports: 5n }],
    });
  });

  test('pays nobody with rent alone, or with lamports that the authority takes', () => {
    expect(withdraw(PAYEE, RENT, [RENT, 0n])).toEqual({ status: 'ignored' });
    expect(withdraw(AUTHORITY, 5n, [RENT + 9n, RENT + 4n])).toEqual({ status: 'ignored' });
  });

  test('reports a missing tag, amount or account, and unknown tags', () => {
    const decode = (data: Uint8Array, accounts: readonly string[] = []) =>
      decodeDraft({
        signers: [AUTHORITY],
        instructions: [{ program: STAKE_PROGRAM, accounts, data }],
      });
    expect(decode(u8(4))).toMatchObject({ status: 'malformed' });
    expect(decode(u32(4))).toMatchObject({ status: 'malformed' });
    expect(decode(concat(u32(4), u64(1n)), [STAKE, PAYEE])).toMatchObject({ status: 'malformed' });
    expect(decode(u32(17))).toEqual({ status: 'ignored' });
    expect(decode(u32(18))).toEqual({ status: 'unknown', discriminator: '12000000' });
  });
});

function withdraw(to: string, lamports: bigint, recorded: readonly [bigint, bigint]) {
  return decodeDraft({
    signers: [AUTHORITY],
    instructions: [
      {
        program: STAKE_PROGRAM,
        accounts: [STAKE, to, SYSVAR, SYSVAR, AUTHORITY],
        data: concat(u32(4), u64(lamports)),
      },
    ],
    lamports: { [STAKE]: recorded },
  });
}
