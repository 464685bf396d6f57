import { expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { ReachedSlots } from './reached-slots.ts';

test('a slot is reached once answers are as of it or a later one, and stays so after a fork', () => {
  const reached = new ReachedSlots();
  expect(reached.has(asSlot(0))).toBe(false);
  reached.publish(null);
  expect(reached.slot).toBeNull();
  reached.publish(asSlot(7));
  expect([6, 7, 8].map((slot) => reached.has(asSlot(slot)))).toEqual([true, true, false]);
  reached.publish(asSlot(5));
  expect(reached.slot).toBe(7);
});

test('who waits for a slot is answered when it is published, not before', async () => {
  const reached = new ReachedSlots(3_600_000);
  const answers: string[] = [];
  const eight = reached.until(asSlot(8)).then((is) => answers.push(`8 ${is}`));
  const nine = reached.until(asSlot(9)).then((is) => answers.push(`9 ${is}`));
  reached.publish(asSlot(7));
  await Promise.resolve();
  expect(answers).toEqual([]);
  reached.publish(asSlot(8));
  await eight;
  expect(answers).toEqual(['8 true']);
  reached.publish(asSlot(20));
  await nine;
  expect(answers).toEqual(['8 true', '9 true']);
});

test('a slot that does not come in time is not reached', async () => {
  const reached = new ReachedSlots(1);
  expect(await reached.until(asSlot(8))).toBe(false);
});

test('only so many wait at a time', async () => {
  const reached = new ReachedSlots(3_600_000);
  const waiting = Array.from({ length: 1_000 }, () => reached.until(asSlot(8)));
  expect(await reached.until(asSlot(8))).toBe(false);
  reached.publish(asSlot(8));
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
});
