import { describe, expect, test } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../tests/support/build-transaction.ts';
import { SPL_TOKEN_PROGRAM } from '../model/program.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { Tally } from './tally.ts';

const STRANGER = address('an unknown market');
const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const user = address('user');
const maker = address('maker');

function transfer(from: string, to: string, authority: string, amount: bigint): InstructionDraft {
  const data = Buffer.alloc(9);
  data[0] = 3;
  data.writeBigUInt64LE(amount, 1);
  return {
    program: SPL_TOKEN_PROGRAM,
    accounts: [address(from), address(to), authority],
    data,
  };
}

const balance = (account: string, owner: string, mint: string, before: bigint, after: bigint) => ({
  account: address(account),
  owner,
  mint: address(mint),
  before,
  after,
});

/** User pays 10 of mint A to the maker and gets 20 of mint B, below one instruction. */
function exchange(program: string, accounts: readonly string[] = [], data = new Uint8Array(8)) {
  return buildTransaction({
    signers: [user],
    instructions: [
      {
        program,
        accounts,
        data,
        inner: [
          transfer('user A', 'maker A', user, 10n),
          transfer('maker B', 'user B', maker, 20n),
        ],
      },
    ],
    tokenBalances: [
      balance('user A', user, 'A', 100n, 90n),
      balance('maker A', maker, 'A', 0n, 10n),
      balance('maker B', maker, 'B', 50n, 30n),
      balance('user B', user, 'B', 0n, 20n),
    ],
  });
}

function tallyOf(transaction: ReturnType<typeof buildTransaction>): Tally {
  const tally = new Tally();
  decodeTransaction(transaction, 0, tally);
  return tally;
}

describe('a transaction that moved tokens through a pool', () => {
  test('is listed with its program when nobody knows it', () => {
    const tally = tallyOf(exchange(STRANGER));
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([1, 0]);
    expect(tally.problems).toMatchObject([
      { problem: 'unexplained', program: null, outerIx: 0, innerIx: -1 },
    ]);
    expect(tally.problems[0]?.reason).toContain(STRANGER);
  });

  test('is explained by the swap that a decoder made of it', () => {
    const at = (position: number) => address(`filler ${position}`);
    const accounts = [user, at(1), at(2), address('pool'), address('user A'), address('user B')];
    const vaults = [address('maker A'), address('maker B')];
    const data = Buffer.from('8fbe5adac41e33de', 'hex');
    const tally = tallyOf(exchange(CPMM, [...accounts, ...vaults], data));
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([1, 1]);
    expect(tally.problems).toEqual([]);
  });

  test('is none when two tokens go the same way', () => {
    const tally = tallyOf(
      buildTransaction({
        signers: [user],
        instructions: [
          {
            program: STRANGER,
            inner: [
              transfer('user A', 'maker A', user, 10n),
              transfer('user B', 'maker B', user, 20n),
            ],
          },
        ],
        tokenBalances: [
          balance('user A', user, 'A', 100n, 90n),
          balance('maker A', maker, 'A', 0n, 10n),
          balance('user B', user, 'B', 50n, 30n),
          balance('maker B', maker, 'B', 0n, 20n),
        ],
      }),
    );
    expect([tally.poolMovingCount, tally.explainedCount]).toEqual([0, 0]);
  });
});
