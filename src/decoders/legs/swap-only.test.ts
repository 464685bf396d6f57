import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  payIn,
  payOut,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { swapOnlyDecoder } from './swap-only.ts';

const PROGRAM = {
  name: 'onedex',
  programId: address('an exchange'),
  swaps: [
    { tag: '0102', pool: 1, vaults: [2, 3], user: 0, userAccounts: [4, 5] },
    { tag: '0103', pool: 6, vaults: [2, 3], user: 0, userAccounts: [4, 5] },
  ],
  tagBytes: 1,
} as const;
const ACCOUNTS = ['wallet', 'pool', 'base vault', 'quote vault', 'user base', 'user sol', 'other'];
const PAID = payIn('user sol', 'quote vault', 30n);
const GOT = payOut('base vault', 'user base', 40n);
const BUY = { kind: 'swap', venue: 'onedex', poolBaseDelta: -40n, poolQuoteDelta: 30n };

describe('a program whose swaps alone are read', () => {
  test('has the pool at the position given by the form of the instruction', () => {
    expect(decode('0102', [PAID, GOT])).toMatchObject({ events: [{ pool: address('pool') }] });
    expect(decode('0103', [PAID, GOT])).toMatchObject({ events: [{ pool: address('other') }] });
  });

  test('reads other instructions as unknown if they move tokens, otherwise ignores them', () => {
    const unknown = { status: 'unknown', discriminator: '01' };
    expect(decode('0104', [PAID, GOT])).toEqual(unknown);
    expect(decode('', [PAID])).toEqual({ status: 'unknown', discriminator: '' });
    expect(decode('0104', [])).toEqual({ status: 'ignored' });
  });

  test('is malformed when only one vault moved or accounts are missing', () => {
    expect(decode('0102', [PAID])).toEqual({ status: 'malformed', reason: 'only one vault moved' });
    expect(decode('0102', [PAID, GOT], {}, 3)).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });

  test("counts transfers between vaults and other accounts, unless only the user's count", () => {
    const brought = payOut('maker vault', 'base vault', 7n);
    const legs = [PAID, brought, GOT];
    expect(decode('0102', legs)).toMatchObject({ events: [{ ...BUY, poolBaseDelta: -33n }] });
    const only = { countsUserTransfersOnly: true } as const;
    expect(decode('0102', legs, only)).toMatchObject({ events: [BUY] });
  });

  test('has no reserves when pools share their vaults', () => {
    expect(decode('0102', [PAID, GOT])).toMatchObject({
      events: [{ reserves: { base: 60n, quote: 130n } }],
    });
    const shared = { areVaultsShared: true } as const;
    expect(decode('0102', [PAID, GOT], shared)).toMatchObject({ events: [{ reserves: null }] });
  });
});

function decode(
  tag: string,
  inner: readonly InstructionDraft[],
  options: { readonly areVaultsShared?: true; readonly countsUserTransfersOnly?: true } = {},
  accountCount = 8,
) {
  const decoder = swapOnlyDecoder({ ...PROGRAM, ...options });
  const named = Object.fromEntries(ACCOUNTS.map((name, position) => [position, name]));
  const transaction = buildTransaction({
    signers: [address('wallet')],
    instructions: [
      {
        program: decoder.programId,
        accounts: accountList(accountCount, named),
        data: tag === '' ? new Uint8Array(0) : concat(hex(tag), u64(1n)),
        inner,
      },
    ],
    tokenBalances: vaultBalances(PURCHASE.vaults),
  });
  const [instruction] = transaction.instructions;
  if (instruction === undefined) throw new Error('no instruction');
  const view = new TransactionView(transaction, (program) => program === decoder.programId);
  return decoder.decode(instruction, view);
}
