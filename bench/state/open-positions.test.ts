import { describe, expect, test } from 'vitest';
import { OpenPositions } from './open-positions.ts';
import { Fields } from './stored-fields.ts';

const SHAPE = { lists: 2, capacity: 3 };
const never = () => {
  throw new Error('no list may be lost');
};

function walletsOf(positions: OpenPositions, list: number): number[] {
  return Array.from({ length: positions.sizeOf(list) }, (_, index) =>
    positions.wallet(list, index),
  );
}

describe('open positions', () => {
  test('stay in order, and the oldest is dropped beyond the capacity', () => {
    const positions = new OpenPositions('test', SHAPE);
    const list = positions.assign(7, never);
    for (const wallet of [1, 2, 3, 4]) positions.add(list, wallet, wallet * 10, wallet * 100);
    expect(walletsOf(positions, list)).toEqual([2, 3, 4]);
    expect(positions.account(list, 0)).toBe(20);
    expect(positions.amount(list, 2)).toBe(400);
  });

  test('end when nothing is left of them', () => {
    const positions = new OpenPositions('test', SHAPE);
    const list = positions.assign(7, never);
    for (const wallet of [1, 2, 3]) positions.add(list, wallet, wallet, 100);
    positions.setAmount(list, 1, 40);
    expect(positions.amount(list, 1)).toBe(40);
    positions.setAmount(list, 1, 0);
    expect(walletsOf(positions, list)).toEqual([1, 3]);
  });

  test('find the newest position of a wallet among the last ones only', () => {
    const positions = new OpenPositions('test', SHAPE);
    const list = positions.assign(7, never);
    for (const wallet of [5, 6, 7]) positions.add(list, wallet, wallet, 100);
    expect(positions.find(list, 6, 2)).toBe(1);
    expect(positions.find(list, 5, 2)).toBe(-1);
  });

  test('lose the list that was not used since the search passed it', () => {
    const positions = new OpenPositions('test', SHAPE);
    const lost: number[] = [];
    const onDropped = (mint: number) => lost.push(mint);
    const first = positions.assign(10, onDropped);
    positions.assign(11, onDropped);
    // Both were used, so the search clears both marks and takes the first one.
    expect(positions.assign(12, onDropped)).toBe(first);
    // 11 was not used since, 12 was.
    positions.assign(13, onDropped);
    expect(lost).toEqual([10, 11]);
  });

  test('are the same after they were stored', () => {
    const positions = new OpenPositions('test', SHAPE);
    const list = positions.assign(7, never);
    positions.add(list, 1, 2, 3);
    const fields = new Fields();
    positions.write(fields);
    const restored = new OpenPositions('test', SHAPE);
    restored.read(Fields.fromBytes(fields.toBytes()));
    expect(walletsOf(restored, list)).toEqual([1]);
    expect([restored.account(list, 0), restored.amount(list, 0)]).toEqual([2, 3]);
    expect(restored.assign(8, never)).toBe(positions.assign(8, never));
  });
});
