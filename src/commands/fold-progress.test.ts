import { expect, test } from 'vitest';
import { asSlot } from '../model/units.ts';
import { type FoldProgress, foldProgress, logRefolds } from './fold-progress.ts';

test('progress is reported by time, however many slots are applied meanwhile', () => {
  const reports: FoldProgress[] = [];
  let nowMs = 1_000;
  const onFold = foldProgress(
    (progress) => reports.push(progress),
    () => nowMs,
  );
  const apply = (slots: number) =>
    onFold(slots, { slot: asSlot(400 + slots), lastSlot: asSlot(900) });
  apply(1);
  nowMs += 4_999;
  apply(2);
  nowMs += 1;
  apply(3);
  apply(4);
  nowMs += 60_000;
  apply(5);
  expect(reports).toEqual([
    { slots: 3, slot: 403, lastSlot: 900 },
    { slots: 5, slot: 405, lastSlot: 900 },
  ]);
});

test('a refold is logged with its first slot at the begin, and its duration at the end', () => {
  const lines: unknown[] = [];
  let nowMs = 1_000;
  const logger = { info: (facts: unknown, message: unknown) => lines.push([facts, message]) };
  const onRefold = logRefolds(logger as never, () => nowMs);
  onRefold({ kind: 'began', fromSlot: asSlot(500), lastSlot: asSlot(900) });
  nowMs += 70_000;
  onRefold({ kind: 'ended', fromSlot: asSlot(500), isStopped: false });
  onRefold({ kind: 'began', fromSlot: null, lastSlot: asSlot(900) });
  nowMs += 5;
  onRefold({ kind: 'ended', fromSlot: null, isStopped: true });
  expect(lines).toEqual([
    [{ fromSlot: 500, lastSlot: 900 }, 'folding the log from a slot on again'],
    [{ fromSlot: 500, durationMs: 70_000 }, 'folded the log again'],
    [{ fromSlot: null, lastSlot: 900 }, 'folding the whole log again'],
    [{ fromSlot: null, durationMs: 5 }, 'stopped folding the log again'],
  ]);
});
