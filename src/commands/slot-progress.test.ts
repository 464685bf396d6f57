import { expect, test } from 'vitest';
import { SlotProgressLines } from './slot-progress.ts';

test('progress is printed once a second, with rate and time left', () => {
  const lines: string[] = [];
  let nowMs = 5_000;
  const progress = new SlotProgressLines(
    (line) => lines.push(line),
    () => nowMs,
  );
  const report = (slotsDone: number) =>
    progress.report({ slotsDone, slotsTotal: 1_000, detail: '3 missing' });
  report(1);
  nowMs += 2_000;
  report(20);
  report(21);
  nowMs += 999;
  report(22);
  expect(lines).toEqual(['20 of 1000 slots, 10.0 slots/s, 1 min 38 s left, 3 missing']);
});
