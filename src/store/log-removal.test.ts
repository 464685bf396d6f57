import { describe, expect, test, vi } from 'vitest';
import { buildFacts } from '../../tests/support/build-records.ts';
import { transports, useDataPlane } from '../../tests/support/data-planes.ts';
import { StoreError } from '../model/errors.ts';
import { asSlot } from '../model/units.ts';
import { LogRemoval } from './log-removal.ts';
import { SlotLog } from './reads/slot-log.ts';

describe.each(transports)('slots removed from the log %s', (_, open) => {
  const opened = useDataPlane(open);

  async function slotsFrom(from: number): Promise<number[]> {
    const slots: number[] = [];
    for await (const { slot } of new SlotLog(opened.plane.heavy).read(from)) slots.push(slot);
    return slots;
  }

  test('are removed at once without any others, and a block written afterwards is kept', async () => {
    const { plane, writer } = opened;
    const write = (slots: readonly number[]) =>
      writer.writeBatch({ slots: slots.map((slot) => buildFacts(slot)), changes: [], epoch: 1 });
    await write([700_000, 700_001, 700_003, 700_004]);
    const removal = new LogRemoval(plane.writer, plane.deployment);
    await removal.remove(700_001, 700_003);
    await removal.remove(700_001, 700_003);
    expect(await slotsFrom(700_000)).toEqual([700_000, 700_004]);
    const other = buildFacts(700_003, { blockhash: 'another', transactions: [] });
    await writer.writeBatch({ slots: [other], changes: [], epoch: 1 });
    expect(await new SlotLog(plane.heavy).find(700_003)).toEqual(other);
    expect(await slotsFrom(700_000)).toEqual([700_000, 700_003, 700_004]);
  });

  test('are all before one: whole partitions at once, and the rest of its own in the background', async () => {
    const { plane, writer } = opened;
    const slots = [9_999_998, 9_999_999, 10_000_000, 20_000_001, 20_000_002, 20_000_003];
    await writer.writeBatch({
      slots: slots.map((slot) => buildFacts(slot)),
      changes: [],
      epoch: 1,
    });
    const removal = new LogRemoval(plane.writer, plane.deployment);
    const stored = async () => {
      const rows = await plane.heavy.rows<{ slot: string }>(
        'SELECT slot FROM slot_log WHERE slot > 9999000 ORDER BY slot',
      );
      return rows.map(({ slot }) => Number(slot));
    };
    await removal.removeBefore(9_999_999);
    await removal.removeBefore(20_000_002);
    expect((await stored()).at(0)).toBeGreaterThan(20_000_000);
    // Readers do not wait for it.
    const log = new SlotLog(plane.heavy, { slot: asSlot(20_000_002) });
    expect(await log.find(20_000_001)).toBeNull();
    expect(await log.firstTimed(0)).toMatchObject({ slot: 20_000_002 });
    await vi.waitFor(async () => expect(await stored()).toEqual([20_000_002, 20_000_003]), 20_000);
    await removal.removeBefore(20_000_002);
    expect(await stored()).toEqual([20_000_002, 20_000_003]);
  });

  test('are kept when this process may no longer write', async () => {
    const { plane, writer } = opened;
    await writer.writeBatch({ slots: [buildFacts(710_000)], changes: [], epoch: 1 });
    const removal = new LogRemoval(plane.writer, plane.deployment, async () => {
      throw new StoreError('another process writes');
    });
    await expect(removal.remove(710_000, 710_000)).rejects.toThrow('another process writes');
    await expect(removal.removeBefore(720_000)).rejects.toThrow('another process writes');
    expect((await slotsFrom(710_000)).at(0)).toBe(710_000);
  });
});
