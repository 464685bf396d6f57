import { beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from '../../src/model/terminal-accounts.ts';
import { hasOracle, loadOracle, type Oracle, type OracleTransaction } from '../support/oracle.ts';
import { recordedTransactions } from '../support/recorded-transactions.ts';
import { hasTestData } from '../support/test-data.ts';

const PROGRAMS: Readonly<Record<string, string>> = {
  BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW: 'photon',
  FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9: 'axiom',
  b1oomGGqPKGD6errbyfbVMBuzSC8WtAAYo8MwNafWW1: 'bloom',
};

describe.skipIf(!hasTestData || !hasOracle)('terminals of recorded transactions', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await loadOracle();
  });

  test('are those whose program was called or whose fee accounts gained', () => {
    const counts: Record<string, number> = {};
    for (const { chain, transaction } of recordedTransactions(oracle)) {
      const { terminal } = decodeTransaction(chain, 0, new Tally());
      const expected = calledBy(transaction) ?? paidBy(transaction);
      expect(terminal, transaction.signature).toBe(expected);
      if (terminal !== null) counts[terminal] = (counts[terminal] ?? 0) + 1;
    }
    process.stdout.write(`terminals of recorded transactions: ${JSON.stringify(counts)}\n`);
    expect(counts).toMatchObject({ photon: 7, bullx: 4 });
  });
});

function calledBy({ ixs }: OracleTransaction): string | null {
  const call = ixs.find(({ program, inner }) => inner === null && program in PROGRAMS);
  return call === undefined ? null : (PROGRAMS[call.program] ?? null);
}

/** From balances, independently of transfers. No recorded transaction pays two terminals. */
function paidBy({ keys, pre, post, preTok, postTok }: OracleTransaction): string | null {
  for (const [index, key] of keys.entries()) {
    const terminal = TERMINAL_OF_FEE_ACCOUNT.get(key);
    if (terminal !== undefined && (post[index] ?? 0n) > (pre[index] ?? 0n)) return terminal;
  }
  for (const [account, { owner, amount }] of postTok) {
    const terminal = TERMINAL_OF_FEE_ACCOUNT.get(owner ?? '');
    if (terminal !== undefined && amount > (preTok.get(account)?.amount ?? 0n)) return terminal;
  }
  return null;
}
