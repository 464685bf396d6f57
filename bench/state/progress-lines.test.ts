import { expect, test } from 'vitest';
import { ProgressLines } from './progress-lines.ts';

test('a line is printed when ten seconds have passed since the one before', () => {
  let nowMs = 500;
  const printed: string[] = [];
  const progress = new ProgressLines(
    () => nowMs,
    (line) => printed.push(`${nowMs}: ${line}`),
  );
  for (let steps = 1; steps <= 6; steps++) {
    nowMs += 4_000;
    progress.step(() => `step ${steps}`);
    if (steps === 4) progress.say('something else');
  }
  expect(printed).toEqual(['12500: step 3', '16500: something else']);
  nowMs += 2_000;
  progress.step(() => 'the last');
  expect(printed.at(-1)).toBe('26500: the last');
});
