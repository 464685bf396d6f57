import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diskAfter, MAINNET_GROWTH, memoryBesideState } from './mainnet-growth.ts';

const DAYS = { day: 1, month: 30, year: 365 };
const LOG_DAYS = 7;
const GIB = 2 ** 30;

/** The rows of the table of what is calculated. */
function rows(): string[] {
  const row = (name: string, cell: (swapsPerSecond: number) => string) =>
    `| ${name} | ${MAINNET_GROWTH.swapsPerSecond.map(cell).join(' | ')} |`;
  const terabytes = (bytes: number) => `${(bytes / 1e12).toFixed(bytes < 1e12 ? 2 : 1)} TB`;
  return Object.entries(DAYS).flatMap(([name, days]) => [
    row(`disk after a ${name}`, (rate) => terabytes(diskAfter(rate, days))),
    ...(days > LOG_DAYS
      ? [
          row(`disk after a ${name} with \`--log-retention 7d\``, (rate) =>
            terabytes(diskAfter(rate, days, LOG_DAYS)),
          ),
        ]
      : []),
    row(
      `memory beside the state after a ${name}`,
      () => `${(memoryBesideState(days) / GIB).toFixed(1)} GiB`,
    ),
  ]);
}

test('the documentation has what the doctor calculates with', () => {
  const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  for (const row of rows()) expect(text).toContain(row);
});
