import { describe, expect, test } from 'vitest';
import { buildFacts, buildTransactionFacts } from '../../../tests/support/build-records.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { asSlot } from '../../model/units.ts';
import { encodeSlotFacts } from '../codecs/facts-codec.ts';
import { SlotLog } from './slot-log.ts';

describe.each(transports)('the log %s', (_, open) => {
  const opened = useDataPlane(open);

  test('is read in slot order across chunks, in any order of writing', async () => {
    const slots = Array.from({ length: 150 }, (_, index) => 900_000 + ((index * 37) % 150) * 2);
    await opened.writer.writeBatch({
      slots: slots.map((slot) => buildFacts(slot)),
      changes: [],
      epoch: 1,
    });
    const read: number[] = [];
    for await (const facts of new SlotLog(opened.plane.heavy).read(900_000)) read.push(facts.slot);
    expect(read).toEqual(Array.from({ length: 150 }, (_, index) => 900_000 + index * 2));
  });

  test.each([
    { from: 900_011, to: 900_050, count: 20 },
    { from: 900_010, to: 900_010, count: 1 },
    { from: 900_011, to: 900_011, count: 0 },
    { from: 900_010, to: 900_009, count: 0 },
  ])('is read encoded from slot $from to slot $to', async ({ from, to, count }) => {
    const slots = Array.from({ length: 100 }, (_, index) => 900_000 + index * 2);
    const facts = slots.map((slot) => buildFacts(slot));
    await opened.writer.writeBatch({ slots: facts, changes: [], epoch: 1 });
    const expected = facts.filter(({ slot }) => slot >= from && slot <= to);
    expect(expected).toHaveLength(count);
    const read: string[] = [];
    const log = new SlotLog(opened.plane.heavy);
    for await (const encoded of log.readEncoded({ from, to })) read.push(encoded);
    expect(read).toEqual(expected.map(encodeSlotFacts));
  });

  test('keeps a slot in its most complete form', async () => {
    const log = new SlotLog(opened.plane.heavy);
    const loose = (words: string[]) =>
      buildFacts(800_000, {
        isWhole: false,
        blockTimeMs: null,
        transactions: words.map((word) => buildTransactionFacts(word)),
      });
    const write = (facts: ReturnType<typeof loose>) =>
      opened.writer.writeBatch({ slots: [facts], changes: [], epoch: 1 });
    await write(loose(['a', 'b']));
    await write(loose(['a']));
    expect(await log.find(800_000)).toEqual(loose(['a', 'b']));
    await write(buildFacts(800_000));
    await write(loose(['a', 'b', 'c']));
    expect(await log.find(800_000)).toEqual(buildFacts(800_000));
    expect(await log.find(800_001)).toBeNull();
  });

  test('finds the slots with some transactions, each in its most complete form', async () => {
    const slot = (number: number, words: readonly string[], isWhole = true) =>
      buildFacts(number, {
        isWhole,
        transactions: words.map((word) => buildTransactionFacts(word)),
      });
    const signatureOf = (word: string) => buildTransactionFacts(word).signature;
    const slots = [slot(700_000, ['a', 'b']), slot(700_002, ['c']), slot(700_004, ['d'])];
    await opened.writer.writeBatch({ slots, changes: [], epoch: 1 });
    // A slot that was complete without it does not have it.
    await opened.writer.writeBatch({
      slots: [slot(700_004, ['d', 'e'], false)],
      changes: [],
      epoch: 1,
    });
    const log = new SlotLog(opened.plane.heavy);
    const find = async (numbers: readonly number[], words: readonly string[]) =>
      await log.findWith(numbers, words.map(signatureOf));
    const all = [700_004, 700_001, 700_000, 700_002];
    expect(await find(all, ['c', 'a'])).toEqual(slots.slice(0, 2));
    expect(await find(all, ['e'])).toEqual([]);
    expect(await find([700_002], ['a'])).toEqual([]);
    expect(await find([], ['a'])).toEqual([]);
    const later = new SlotLog(opened.plane.heavy, { slot: asSlot(700_001) });
    expect(await later.findWith(all, ['a', 'c'].map(signatureOf))).toEqual([slots[1]]);
  });
});
