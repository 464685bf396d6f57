import { describe, expect, it } from 'vitest';
import {
  address,
  buildTransaction,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { mintDecimals } from './mint-decimals.ts';
import { TransactionView } from './transaction-view.ts';

const MINT = address('mint');

describe('mintDecimals', () => {
  it('come from a balance of the mint', () => {
    const balance = { account: address('vault'), mint: MINT, decimals: 5 };
    expect(decimals(Uint8Array.of(20, 9), SPL_TOKEN_PROGRAM, MINT, [balance])).toBe(5);
  });

  it.each([
    ['InitializeMint', 0, SPL_TOKEN_PROGRAM],
    ['InitializeMint2', 20, SPL_TOKEN_PROGRAM],
    ['InitializeMint2 of Token-2022', 20, TOKEN_2022_PROGRAM],
  ])('come from %s when there is no balance', (_name, tag, program) => {
    expect(decimals(Uint8Array.of(tag, 8), program)).toBe(8);
  });

  it('are unknown when neither shows them', () => {
    expect(decimals(Uint8Array.of(7, 8), SPL_TOKEN_PROGRAM)).toBeNull();
  });

  it('are unknown when the mint or the program is another, or data are truncated', () => {
    const initialise = Uint8Array.of(20, 8);
    expect(decimals(initialise, SPL_TOKEN_PROGRAM, address('other mint'))).toBeNull();
    expect(decimals(initialise, SYSTEM_PROGRAM)).toBeNull();
    expect(decimals(Uint8Array.of(20), SPL_TOKEN_PROGRAM)).toBeNull();
  });
});

function decimals(
  data: Uint8Array,
  program: string,
  mint: string = MINT,
  tokenBalances: readonly TokenBalanceDraft[] = [],
): number | null {
  const transaction = buildTransaction({
    signers: [address('payer')],
    instructions: [{ program, accounts: [mint], data }],
    tokenBalances,
  });
  return mintDecimals(new TransactionView(transaction, () => false), MINT);
}
