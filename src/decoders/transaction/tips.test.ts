import { describe, expect, test } from 'vitest';
import { address, buildTransaction } from '../../../tests/support/build-transaction.ts';
import { sendLamports } from '../../../tests/support/token-instructions.ts';
import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { JITO_TIP_ACCOUNTS, NOZOMI_TIP_ACCOUNTS } from '../../model/tip-accounts.ts';
import { tipsOf } from './tips.ts';
import { TransactionView } from './transaction-view.ts';

const JITO = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
const NOZOMI = 'TEMPaMeCRFAS9EKF53Jd6KpHxgL47uWLcpFArU1Fanq';
const WALLET = address('wallet');

describe('the tip accounts', () => {
  test('are 8 of Jito and 17 of Nozomi, all keys of 32 bytes, without duplicates', () => {
    const all = [...JITO_TIP_ACCOUNTS, ...NOZOMI_TIP_ACCOUNTS];
    expect([JITO_TIP_ACCOUNTS.length, NOZOMI_TIP_ACCOUNTS.length]).toEqual([8, 17]);
    expect(all.filter((account) => !isBase58Of32Bytes(account))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('tips', () => {
  test('are the transfers to tip accounts, in order, by provider', () => {
    expect(tips([JITO, 10_000n], [address('friend'), 5n], [NOZOMI, 1n])).toEqual([
      { lamports: 10_000n, to: JITO, provider: 'jito' },
      { lamports: 1n, to: NOZOMI, provider: 'other' },
    ]);
  });

  test('to Jito start at 1,000 lamports', () => {
    expect(tips([JITO, 999n])).toEqual([]);
    expect(tips([JITO, 1_000n])).toEqual([{ lamports: 1_000n, to: JITO, provider: 'jito' }]);
  });

  test('of zero do not count', () => {
    expect(tips([NOZOMI, 0n])).toEqual([]);
  });
});

function tips(...transfers: readonly (readonly [to: string, lamports: bigint])[]) {
  const instructions = transfers.map(([to, lamports]) => sendLamports(WALLET, to, lamports));
  const transaction = buildTransaction({ signers: [WALLET], instructions });
  return tipsOf(new TransactionView(transaction, () => false));
}
