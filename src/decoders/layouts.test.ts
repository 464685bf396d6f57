import { expect, test } from 'vitest';
import { LAYOUTS, layoutAt, layoutNamed } from './layouts.ts';
import { DECODERS } from './registry.ts';

test('every layout belongs to a registered decoder, and none is listed twice', () => {
  for (const { name, programId } of LAYOUTS) {
    expect(DECODERS.find((decoder) => decoder.programId === programId)?.name).toBe(name);
  }
  expect(new Set(LAYOUTS.map(({ name }) => name)).size).toBe(LAYOUTS.length);
});

test('a layout is found by name and by address', () => {
  const pump = layoutNamed('pump');
  expect(pump?.programId).toBe('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
  expect(layoutAt(pump?.programId ?? '')).toBe(pump);
  expect([layoutNamed('system'), layoutAt('11111111111111111111111111111111')]).toEqual([
    null,
    null,
  ]);
});
