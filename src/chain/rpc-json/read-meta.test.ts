import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { readParts, rpcRecord, rpcTokenBalance } from '../../../tests/support/rpc-parts.ts';
import { readTransaction } from './read-block.ts';

const ALICE = address('alice');
const BOB = address('bob');

describe('what a record may lack', () => {
  test('is everything the runtime did, when the transaction failed', () => {
    const err = { InstructionError: [0, { Custom: 1 }] };
    const { transaction } = readParts({
      meta: { err, innerInstructions: null, preTokenBalances: null, logMessages: null },
    });
    expect(transaction?.error).toBe('{"InstructionError":[0,{"Custom":1}]}');
  });

  test('is inner instructions before the ledger kept them, for the versions of that time', () => {
    const old = { meta: { innerInstructions: null }, record: { slot: 18_144_001 } };
    expect(readParts(old).transaction?.instructions).toHaveLength(1);
    const impossible = { ...old, record: { slot: 18_144_001, version: 0 } };
    expect(readTransaction(rpcRecord(impossible))).toMatchObject({ code: 'missing-meta' });
    const unplaced = { ...old, record: { slot: null } };
    expect(readTransaction(rpcRecord(unplaced))).toMatchObject({ code: 'missing-meta' });
  });

  test('is stack heights, compute units, owners and the version', () => {
    const { transaction } = readParts({
      meta: {
        innerInstructions: [
          { index: 0, instructions: [{ programIdIndex: 2, accounts: [], data: '' }] },
        ],
        postTokenBalances: [rpcTokenBalance(undefined, '5')],
      },
      record: { version: undefined },
    });
    expect(transaction?.instructions[1]?.stackHeight).toBe(0);
    expect(transaction?.computeUnitsUsed).toBeNull();
    expect(transaction?.tokenBalances[0]).toMatchObject({ owner: null, before: 0n, after: 5n });
    expect(transaction?.version).toBe('legacy');
  });
});

describe('token balances', () => {
  test('are merged per account, with 0 for a missing side', () => {
    const other = { ...rpcTokenBalance(BOB, '9'), accountIndex: 0 };
    const { transaction } = readParts({
      meta: {
        preTokenBalances: [other, rpcTokenBalance(ALICE, '5')],
        postTokenBalances: [rpcTokenBalance(ALICE, '3')],
      },
    });
    expect(transaction?.tokenBalances).toMatchObject([
      { accountIndex: 0, owner: BOB, before: 9n, after: 0n },
      { accountIndex: 1, owner: ALICE, before: 5n, after: 3n },
    ]);
  });

  test('are two entries when the account changes owner', () => {
    const { transaction } = readParts({
      meta: {
        preTokenBalances: [rpcTokenBalance(ALICE, '5')],
        postTokenBalances: [rpcTokenBalance(BOB, '7')],
      },
    });
    expect(transaction?.tokenBalances).toMatchObject([
      { accountIndex: 1, owner: ALICE, before: 5n, after: 0n },
      { accountIndex: 1, owner: BOB, before: 0n, after: 7n },
    ]);
  });
});

describe('inner instructions', () => {
  test('follow their outer one, with groups of one index joined', () => {
    const call = (data: string) => ({ programIdIndex: 2, accounts: [], data, stackHeight: 2 });
    const { transaction } = readParts({
      message: { instructions: [call('2'), call('3')] },
      meta: {
        innerInstructions: [
          { index: 1, instructions: [call('4')] },
          { index: 0, instructions: [call('5'), call('6')] },
          { index: 1, instructions: [call('7')] },
        ],
      },
    });
    const order = transaction?.instructions.map(({ outerIx, innerIx, data }) => [
      outerIx,
      innerIx,
      data[0],
    ]);
    // Base58 digits 2 to 7 have the values 1 to 6.
    expect(order).toEqual([
      [0, -1, 1],
      [0, 0, 4],
      [0, 1, 5],
      [1, -1, 2],
      [1, 0, 3],
      [1, 1, 6],
    ]);
  });
});
