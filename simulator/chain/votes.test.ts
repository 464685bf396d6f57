import { describe, expect, test } from 'vitest';
import { VOTE_PROGRAM } from '../../src/model/program.ts';
import { keysOf } from '../faces/format-instructions.ts';
import { writeWire } from '../faces/write-wire.ts';
import { Random } from '../random/random.ts';
import { Chain } from './chain.ts';
import { Keyring } from './keyring.ts';
import { Validators } from './votes.ts';

const SLOT = 400_000_000;

function blockOfVotes(count: number) {
  const root = new Random('votes');
  const chain = new Chain(new Keyring(root), new Keyring(root.fork('blocks')), SLOT, []);
  const validators = new Validators(chain, root.fork('validators'), count);
  const [leader] = validators.identities;
  if (leader === undefined) throw new Error('no validator');
  const slot = { slot: SLOT, unixTime: 1_767_225_600 };
  return chain.produce({ ...slot, leader, groups: validators.votes(slot) }).block;
}

describe('a vote', () => {
  test('exists once per validator, lands, and costs 5,000 lamports', () => {
    const { transactions } = blockOfVotes(7);
    expect(transactions.length).toBe(7);
    expect(new Set(transactions.map(({ staticKeys }) => staticKeys[0])).size).toBe(7);
    for (const { error, feeLamports, isVote } of transactions) {
      expect([error, feeLamports, isVote]).toEqual([null, 5_000n, true]);
    }
  });

  test('calls only the vote program, with the vote account and its authority', () => {
    for (const transaction of blockOfVotes(3).transactions) {
      const [identity, voteAccount, program] = keysOf(transaction);
      expect(program).toBe(VOTE_PROGRAM);
      expect(transaction.instructions.length).toBe(1);
      const [vote] = transaction.instructions;
      const named = vote?.accountIndexes.map((index) => keysOf(transaction)[index]);
      expect(named).toEqual([voteAccount, identity]);
      expect(transaction.header).toEqual({
        requiredSignatures: 1,
        readonlySigned: 0,
        readonlyUnsigned: 1,
      });
    }
  });

  test('is a TowerSync of the published layout: 148 bytes, 31 lockouts up to the previous slot', () => {
    const [transaction] = blockOfVotes(1).transactions;
    const data = Buffer.from(transaction?.instructions[0]?.data ?? []);
    // Tag, root, count, 31 steps with counts, hash, flag and time, block id.
    expect(data.length).toBe(4 + 8 + 1 + 31 * 2 + 32 + 9 + 32);
    expect(data.readUInt32LE(0)).toBe(14);
    let slot = Number(data.readBigUInt64LE(4));
    expect(slot).toBe(SLOT - 32);
    expect(data[12]).toBe(31);
    for (let index = 0; index < 31; index++) {
      slot += data[13 + 2 * index] ?? 0;
      expect(data[14 + 2 * index]).toBe(31 - index);
    }
    expect(slot).toBe(SLOT - 1);
    expect(data.readBigInt64LE(13 + 62 + 33)).toBe(1_767_225_600n);
  });

  test('has the length on the wire that the layout requires', () => {
    const [transaction] = blockOfVotes(1).transactions;
    if (transaction === undefined) throw new Error('no vote');
    // Signature with count, header, three keys with count, hash, one instruction with lengths.
    const expected = 65 + 3 + 97 + 32 + (1 + 1 + 3 + 2 + 148);
    expect(writeWire(transaction).length).toBe(expected);
  });
});
