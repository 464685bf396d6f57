import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import type { BlockMeta } from '../protobuf/yellowstone-update.ts';
import { type Assembled, SlotAssembler } from './slot-assembler.ts';

const BANK = 9n;

function meta(slot: number, executedTransactionCount: number): BlockMeta {
  return {
    slot: slot as Slot,
    parentSlot: (slot - 1) as Slot,
    blockhash: `hash ${slot}`,
    previousBlockhash: `hash ${slot - 1}`,
    blockTimeMs: slot * 400,
    executedTransactionCount,
  };
}

/** The assembler looks at nothing but the signature. */
function transaction(slot: number, txIndex: number): ChainTransaction {
  return { signature: `${slot}/${txIndex}`, txIndex } as unknown as ChainTransaction;
}

function loose(slot: number, txIndex: number, isVote = false, bankId = BANK) {
  const found = isVote ? null : transaction(slot, txIndex);
  return {
    kind: 'transaction' as const,
    loose: { slot: slot as Slot, blockTimeMs: null, transaction: found },
    txIndex,
    bankId,
  };
}

type Message = ReturnType<typeof loose> | BlockMeta;

function give(assembler: SlotAssembler, message: Message): readonly Assembled[] {
  return 'loose' in message ? assembler.addTransaction(message) : assembler.addMeta(message, BANK);
}

/** For each slot, which positions are votes and which are lost on the way. */
const slotPlans = fc.array(
  fc.record({
    votes: fc.array(fc.boolean(), { maxLength: 12 }),
    lost: fc.option(fc.nat(11), { freq: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('SlotAssembler', () => {
  test('makes a block of exactly those slots of which everything came, in any order and repeated', () => {
    fc.assert(
      fc.property(slotPlans, fc.infiniteStream(fc.nat(1_000)), (plans, draws) => {
        const messages: Message[] = [];
        const whole = new Map<number, { order: string[]; voteCount: number }>();
        plans.forEach(({ votes, lost }, at) => {
          const slot = 100 + at;
          messages.push(meta(slot, votes.length));
          votes.forEach((isVote, txIndex) => {
            if (txIndex !== lost) messages.push(loose(slot, txIndex, isVote));
          });
          if (lost !== null && lost < votes.length) return;
          const order = votes.flatMap((isVote, txIndex) => (isVote ? [] : [`${slot}/${txIndex}`]));
          whole.set(slot, { order, voteCount: votes.length - order.length });
        });
        const shuffled = messages
          .map((message) => ({ message, key: draws.next().value as number }))
          .sort((one, other) => one.key - other.key)
          .map(({ message }) => message);
        const assembler = new SlotAssembler({ newerBlocksMax: 100 });
        const blocks = shuffled
          .flatMap((message) => {
            const given = give(assembler, message);
            // Once given a slot is over; before, the same again changes nothing.
            return given.length > 0 ? given : give(assembler, message);
          })
          .map((item) => {
            if (item.kind !== 'block') throw new Error(item.reason);
            const { slot, transactions, voteCount, isWhole } = item.block;
            expect(isWhole).toBe(true);
            return [slot, { order: transactions.map(({ signature }) => signature), voteCount }];
          });
        expect(new Map(blocks as [number, unknown][])).toEqual(whole);
        expect(blocks.length).toBe(whole.size);
      }),
    );
  });

  test('carries the head of the block meta', () => {
    const assembler = new SlotAssembler();
    const { executedTransactionCount: _, ...head } = meta(7, 0);
    expect(assembler.addMeta(meta(7, 0), BANK)).toEqual([
      { kind: 'block', block: { ...head, isWhole: true, transactions: [], voteCount: 0 } },
    ]);
  });

  test('gives a slot up when more newer blocks came than it may wait for, and says what lacks', () => {
    const assembler = new SlotAssembler({ newerBlocksMax: 2 });
    assembler.addTransaction(loose(50, 0));
    assembler.addTransaction(loose(49, 0));
    assembler.addMeta(meta(50, 3), BANK);
    const given = [51, 52, 53].map((slot) =>
      assembler.addMeta(meta(slot, 0), BANK).filter(({ kind }) => kind === 'incomplete'),
    );
    expect(given[0]).toEqual([]);
    // Slot 49 saw the meta of 50 too.
    expect(given[1]).toEqual([
      { kind: 'incomplete', slot: 49, reason: '1 transactions and no block meta' },
    ]);
    expect(given[2]).toEqual([{ kind: 'incomplete', slot: 50, reason: '1 of 3 transactions' }]);
    expect(assembler.heldTransactions).toBe(0);
    expect(assembler.lowestOpenSlot).toBeNull();
  });

  test('makes no block where two transactions claim a position, or one lies beyond the count', () => {
    const assembler = new SlotAssembler({ newerBlocksMax: 0 });
    assembler.addTransaction(loose(50, 0));
    assembler.addTransaction({ ...loose(50, 0), loose: loose(51, 0).loose, bankId: BANK });
    const other = {
      ...loose(50, 0),
      loose: { slot: 50 as Slot, blockTimeMs: null, transaction: transaction(99, 9) },
    };
    assembler.addTransaction(other);
    expect(assembler.addMeta(meta(50, 1), BANK)).toEqual([]);
    expect(assembler.addMeta(meta(52, 0), BANK)).toContainEqual({
      kind: 'incomplete',
      slot: 50,
      reason: 'two transactions claim position 0',
    });
    const beyond = new SlotAssembler();
    beyond.addTransaction(loose(60, 5));
    expect(beyond.addMeta(meta(60, 1), BANK)).toEqual([
      { kind: 'incomplete', slot: 60, reason: 'there are positions beyond the count' },
    ]);
  });

  test('keeps the banks of a slot apart', () => {
    const assembler = new SlotAssembler();
    assembler.addTransaction(loose(50, 0, false, 1n));
    assembler.addTransaction(loose(50, 1, false, 2n));
    expect(assembler.addMeta(meta(50, 2), 1n)).toEqual([]);
    expect(assembler.addTransaction(loose(50, 1, false, 1n))).toMatchObject([{ kind: 'block' }]);
    expect(assembler.heldTransactions).toBe(1);
  });

  test('holds no more than it may, and gives up the lowest slots for it', () => {
    const assembler = new SlotAssembler({ transactionsMax: 10, banksMax: 4 });
    const given: Assembled[] = [];
    for (let slot = 1; slot <= 9; slot++) given.push(...assembler.addTransaction(loose(slot, 0)));
    expect(given.map((item) => item.kind === 'incomplete' && item.slot)).toEqual([1, 2, 3, 4, 5]);
    for (let txIndex = 1; txIndex <= 20; txIndex++) {
      assembler.addTransaction(loose(9, txIndex));
      expect(assembler.heldTransactions).toBeLessThanOrEqual(10);
    }
  });

  test('forgets what was begun when the stream ended', () => {
    const assembler = new SlotAssembler();
    assembler.addTransaction(loose(50, 0));
    expect(assembler.lowestOpenSlot).toBe(50);
    assembler.clear();
    expect(assembler.lowestOpenSlot).toBeNull();
    expect(assembler.addMeta(meta(50, 1), BANK)).toEqual([]);
  });
});
