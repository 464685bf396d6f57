import { describe, expect, test } from 'vitest';
import { slotOfRecord } from './record-slot.ts';

const of = (value: Record<string, unknown>, fileName = 'block.json') =>
  slotOfRecord({ kind: 'block', value: value as never, path: '' }, fileName);

describe('the slot of a recorded block', () => {
  test('is its own, as a number or as text', () => {
    expect(of({ slot: 7, parentSlot: 5 })).toBe(7);
    expect(of({ slot: '7', parentSlot: 5 })).toBe(7);
  });

  test('is in the name of the file, if it follows its parent, else it is the next one', () => {
    expect(of({ parentSlot: 300_000_000 }, 'block-300000002.json')).toBe(300_000_002);
    expect(of({ parentSlot: 300_000_000 }, 'block-299999999.json')).toBe(300_000_001);
  });

  test.each([2 ** 40 - 1, Number.MAX_SAFE_INTEGER, '9007199254740991', -1, 0.5, null, {}])(
    'is not %j',
    (slot) => {
      expect(of({ slot, parentSlot: 5 })).toBe(6);
      expect(of({ parentSlot: slot })).toBeNull();
    },
  );
});
