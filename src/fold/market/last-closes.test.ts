import { expect, test } from 'vitest';
import { UndoLog } from '../../lib/undo-log.ts';
import { asPriceE18, PRICE_MAX } from '../../model/units.ts';
import { LastCloses } from './last-closes.ts';

test('closes are kept by scope, the largest price included, and taken back', () => {
  const undo = new UndoLog(1);
  const closes = new LastCloses(undo);
  expect(closes.get(7)).toBeNull();
  closes.set(7, PRICE_MAX);
  closes.set(9, asPriceE18(0n));
  expect([closes.get(7), closes.get(8), closes.get(9)]).toEqual([PRICE_MAX, null, 0n]);
  undo.open();
  closes.set(7, asPriceE18(5n));
  closes.set(8, asPriceE18(6n));
  undo.close();
  expect([closes.get(7), closes.get(8)]).toEqual([5n, 6n]);
  undo.undo();
  expect([closes.get(7), closes.get(8)]).toEqual([PRICE_MAX, null]);
});
