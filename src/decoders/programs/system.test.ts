import { describe, expect, test } from 'vitest';
import { concat, key, u8, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft, factsOfDraft } from '../../../tests/support/decode-draft.ts';
import {
  closeAccount,
  initializeAccount3,
  sendLamports,
  syncNative,
} from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';

const A = address('a');
const B = address('b');
const C = address('c');
const D = address('d');
const OWNER = key(SPL_TOKEN_PROGRAM);
const RAYDIUM_CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';

describe('the system program', () => {
  test.each([
    ['CreateAccount', 0, [A, B], [u64(9n), u64(165n), OWNER], 'createAccount', A, B],
    ['Transfer', 2, [A, B], [u64(9n)], 'transfer', A, B],
    [
      'CreateAccountWithSeed',
      3,
      [A, B],
      [key(A), u64(4n), u32(0x64656573), u64(9n), u64(165n), OWNER],
      'createAccount',
      A,
      B,
    ],
    // Nonce account, recipient, two sysvars, authority.
    ['WithdrawNonceAccount', 5, [A, B, D, D, C], [u64(9n)], 'transfer', C, B],
    [
      'TransferWithSeed',
      11,
      [A, C, B],
      [u64(9n), u64(4n), u32(0x64656573), OWNER],
      'transfer',
      C,
      B,
    ],
    ['CreateAccountAllowPrefund', 13, [B, A], [u64(9n), u64(165n), OWNER], 'createAccount', A, B],
  ] as const)('%s moves 9 lamports', (_, tag, accounts, data, transferKind, from, to) => {
    expect(decode(instruction(tag, accounts, ...data))).toEqual({
      status: 'event',
      events: [
        { kind: 'solTransfer', outerIx: 0, innerIx: -1, transferKind, from, to, lamports: 9n },
      ],
    });
  });

  test('handles every tag, and reports unknown ones', () => {
    const statuses = Array.from({ length: 16 }, (_, tag) => decode(instruction(tag, [A])).status);
    const moves = [0, 2, 3, 5, 11, 13];
    expect(statuses).toEqual(
      Array.from({ length: 16 }, (_, tag) => {
        if (tag > 13) return 'unknown';
        return moves.includes(tag) ? 'malformed' : 'ignored';
      }),
    );
    expect(decode(instruction(14, []))).toEqual({ status: 'unknown', discriminator: '0e000000' });
  });

  test('reports a missing tag, amount or account', () => {
    expect(decode({ program: SYSTEM_PROGRAM, data: u8(2) }).status).toBe('malformed');
    expect(decode(instruction(2, [A, B], u32(1))).status).toBe('malformed');
    expect(decode(instruction(2, [A], u64(1n))).status).toBe('malformed');
  });

  test('ignores movements of zero', () => {
    expect(decode(sendLamports('a', 'b', 0n))).toEqual({ status: 'ignored' });
    const prefunded = instruction(13, [B], u64(0n), u64(165n), OWNER);
    expect(decode(prefunded)).toEqual({ status: 'ignored' });
  });

  test('pays the owner of an account of wrapped SOL, and nobody where the payer owns it', () => {
    const sentTo = (owner: string) => {
      const { events } = factsOfDraft({
        signers: [A],
        instructions: [
          sendLamports(A, C, 500n),
          initializeAccount3(C, WRAPPED_SOL, owner),
          syncNative(C),
          closeAccount(C, owner),
        ],
      });
      return events.flatMap((event) =>
        event.kind === 'solTransfer' && event.outerIx === 0 ? [event] : [],
      );
    };
    expect(sentTo(B)).toMatchObject([{ transferKind: 'transfer', from: A, to: B }]);
    // Filled, used and closed within one transaction: no wallet was paid.
    expect(sentTo(A)).toMatchObject([{ transferKind: 'wrap', from: A, to: C }]);
  });

  test('pays the account itself where it holds another token, as rent is paid', () => {
    const { events } = factsOfDraft({
      signers: [A],
      instructions: [sendLamports(A, C, 500n)],
      tokenBalances: [{ account: C, mint: D, owner: A, before: 7n }],
    });
    expect(events).toMatchObject([{ kind: 'solTransfer', from: A, to: C, lamports: 500n }]);
  });

  test('leaves transfers below a venue to the venue, but not the rent of accounts', () => {
    const below = (inner: InstructionDraft) =>
      decodeDraft({ signers: [A], instructions: [{ program: RAYDIUM_CPMM, inner: [inner] }] }, 1)
        .status;
    expect(below(sendLamports('a', 'b', 9n))).toBe('ignored');
    expect(below(instruction(0, [A, B], u64(9n), u64(165n), OWNER))).toBe('event');
  });
});

describe('a nonce account that is emptied', () => {
  // Its rent is 1,447,680 lamports, for 80 bytes.
  const withdraw = (to: string, lamports: bigint, left: bigint) =>
    decodeDraft({
      signers: [C],
      instructions: [instruction(5, [A, to, D, D, C], u64(lamports))],
      lamports: { [A]: [lamports + left, left] },
    });

  test('pays what it held beyond its rent', () => {
    expect(withdraw(B, 1_000_001_447_680n, 0n)).toMatchObject({
      events: [{ from: C, to: B, lamports: 1_000_000_000_000n }],
    });
    expect(withdraw(B, 1_447_680n, 0n)).toEqual({ status: 'ignored' });
  });

  test('pays all that is withdrawn while something is left', () => {
    expect(withdraw(B, 1_447_680n, 1n)).toMatchObject({ events: [{ lamports: 1_447_680n }] });
  });

  test('pays nobody when its authority takes the lamports', () => {
    expect(withdraw(C, 5_000_000_000n, 0n)).toEqual({ status: 'ignored' });
  });
});

function instruction(
  tag: number,
  accounts: readonly string[],
  ...data: readonly Uint8Array[]
): InstructionDraft {
  return { program: SYSTEM_PROGRAM, accounts, data: concat(u32(tag), ...data) };
}

/** A holds lamports before and after. */
function decode(draft: InstructionDraft) {
  return decodeDraft({ signers: [A], instructions: [draft], lamports: { [A]: [20n, 11n] } });
}
