import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../../tests/support/protobuf-messages.ts';
import { asSlot } from '../../model/units.ts';
import type { BlockMeta } from '../protobuf/block-fields.ts';
import { readUpdateBlock } from '../protobuf/yellowstone-update.ts';
import { type Assembled, SlotAssembler } from './slot-assembler.ts';

const BANK = 9n;

function meta(slot: number, executedTransactionCount: number): BlockMeta {
  return {
    slot: asSlot(slot),
    parentSlot: asSlot(slot - 1),
    blockhash: `hash ${slot}`,
    previousBlockhash: `hash ${slot - 1}`,
    blockTimeMs: slot * 1_000,
    executedTransactionCount,
  };
}

/** The assembler reads only the signature, and passes the bytes on. */
function located(slot: number, txIndex: number, bankId = BANK, signature = `${slot}/${txIndex}`) {
  const info = encodeMessage('SubscribeUpdateTransactionInfo', infoOf(signature));
  return { slot: asSlot(slot), txIndex, bankId, signature, info };
}

function infoOf(signature: string) {
  return { signature: Buffer.from(signature) };
}

/** What a server that sends whole blocks would have sent, according to a protobuf library. */
function blockMessage(slot: number, transactions: number): Uint8Array {
  return encodeMessage('SubscribeUpdateBlock', {
    slot,
    blockhash: `hash ${slot}`,
    blockTime: { timestamp: slot },
    parentSlot: slot - 1,
    parentBlockhash: `hash ${slot - 1}`,
    executedTransactionCount: transactions,
    transactions: Array.from({ length: transactions }, (_, index) => infoOf(`${slot}/${index}`)),
  });
}

type Message = ReturnType<typeof located> | BlockMeta;

function give(assembler: SlotAssembler, message: Message): readonly Assembled[] {
  return 'info' in message ? assembler.addTransaction(message) : assembler.addMeta(message, BANK);
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** For each slot its number of transactions, and which one is lost. */
const slotPlans = fc.array(
  fc.record({
    transactions: fc.nat(12),
    lost: fc.option(fc.nat(11), { freq: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('SlotAssembler', () => {
  test('makes a block of exactly those slots whose parts all arrived, in any order and repeated', () => {
    fc.assert(
      fc.property(slotPlans, fc.infiniteStream(fc.nat(1_000)), (plans, draws) => {
        const messages: Message[] = [];
        const whole = new Map<number, string>();
        plans.forEach(({ transactions, lost }, at) => {
          const slot = 100 + at;
          messages.push(meta(slot, transactions));
          for (let txIndex = 0; txIndex < transactions; txIndex++) {
            if (txIndex !== lost) messages.push(located(slot, txIndex));
          }
          if (lost !== null && lost < transactions) return;
          whole.set(slot, hex(blockMessage(slot, transactions)));
        });
        const shuffled = messages
          .map((message) => ({ message, key: draws.next().value as number }))
          .sort((one, other) => one.key - other.key)
          .map(({ message }) => message);
        const assembler = new SlotAssembler({ newerBlocksMax: 100 });
        const blocks = shuffled
          .flatMap((message) => {
            const items = give(assembler, message);
            // Once emitted a slot is done; before, repeating its parts changes nothing.
            return items.length > 0 ? items : give(assembler, message);
          })
          .map((item) => {
            if (item.kind !== 'block') throw new Error(item.reason);
            return [item.meta.slot, hex(item.content)] as const;
          });
        expect(new Map<number, string>(blocks)).toEqual(whole);
        expect(blocks.length).toBe(whole.size);
      }),
    );
  });

  test('contains the head of the block meta', () => {
    const assembler = new SlotAssembler();
    const [item] = assembler.addMeta(meta(7, 0), BANK);
    expect(item).toMatchObject({ kind: 'block', meta: meta(7, 0) });
    const untimed = { ...meta(8, 0), blockTimeMs: null };
    const [later] = assembler.addMeta(untimed, BANK);
    expect(later?.kind === 'block' && readUpdateBlock(later.content)).toMatchObject({
      value: { slot: 8, blockTimeMs: null, blockhash: 'hash 8', isWhole: true, voteCount: 0 },
    });
  });

  test('drops a slot when too many newer blocks arrived, and says what it lacks', () => {
    const assembler = new SlotAssembler({ newerBlocksMax: 2 });
    assembler.addTransaction(located(50, 0));
    assembler.addTransaction(located(49, 0));
    assembler.addMeta(meta(50, 3), BANK);
    const items = [51, 52, 53].map((slot) =>
      assembler.addMeta(meta(slot, 0), BANK).filter(({ kind }) => kind === 'incomplete'),
    );
    expect(items[0]).toEqual([]);
    // The meta of slot 50 counted for slot 49 too.
    expect(items[1]).toEqual([
      { kind: 'incomplete', slot: 49, reason: '1 transactions and no block meta' },
    ]);
    expect(items[2]).toEqual([{ kind: 'incomplete', slot: 50, reason: '1 of 3 transactions' }]);
    expect(assembler.heldTransactions).toBe(0);
    expect(assembler.lowestOpenSlot).toBeNull();
  });

  test('makes no block where two transactions claim a position, or one lies beyond the count', () => {
    const assembler = new SlotAssembler({ newerBlocksMax: 0 });
    assembler.addTransaction(located(50, 0));
    assembler.addTransaction(located(50, 0, BANK, 'another'));
    expect(assembler.addMeta(meta(50, 1), BANK)).toEqual([]);
    expect(assembler.addMeta(meta(52, 0), BANK)).toContainEqual({
      kind: 'incomplete',
      slot: 50,
      reason: 'two transactions claim position 0',
    });
    const beyond = new SlotAssembler();
    beyond.addTransaction(located(60, 5));
    expect(beyond.addMeta(meta(60, 1), BANK)).toEqual([
      { kind: 'incomplete', slot: 60, reason: 'there are positions beyond the count' },
    ]);
  });

  test('keeps the banks of a slot apart', () => {
    const assembler = new SlotAssembler();
    assembler.addTransaction(located(50, 0, 1n));
    assembler.addTransaction(located(50, 1, 2n));
    expect(assembler.addMeta(meta(50, 2), 1n)).toEqual([]);
    expect(assembler.addTransaction(located(50, 1, 1n))).toMatchObject([{ kind: 'block' }]);
    expect(assembler.heldTransactions).toBe(1);
  });

  test('respects its bound, and drops the lowest slots for it', () => {
    const assembler = new SlotAssembler({ transactionsMax: 10, banksMax: 4 });
    const items: Assembled[] = [];
    for (let slot = 1; slot <= 9; slot++) items.push(...assembler.addTransaction(located(slot, 0)));
    expect(items.map((item) => item.kind === 'incomplete' && item.slot)).toEqual([1, 2, 3, 4, 5]);
    for (let txIndex = 1; txIndex <= 20; txIndex++) {
      assembler.addTransaction(located(9, txIndex));
      expect(assembler.heldTransactions).toBeLessThanOrEqual(10);
    }
  });

  test('discards incomplete slots when the stream ended', () => {
    const assembler = new SlotAssembler();
    assembler.addTransaction(located(50, 0));
    expect(assembler.lowestOpenSlot).toBe(50);
    assembler.clear();
    expect(assembler.lowestOpenSlot).toBeNull();
    expect(assembler.addMeta(meta(50, 1), BANK)).toEqual([]);
  });
});
