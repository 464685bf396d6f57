import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { judgeGrowth } from './judge-growth.ts';
import { daysUntilFull, diskAfter, MAINNET_GROWTH, memoryBesideState } from './mainnet-growth.ts';

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

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** A part of what the doctor says of a machine with 2.5 GiB for the state. */
function said(part: RegExp): string {
  const machine = { freeBytes: null, memoryBytes: 16 * GIB, logDaysMax: null };
  const findings = judgeGrowth({ ...machine, stateMemoryBytes: 2.5 * GIB });
  return part.exec(findings.map(({ message }) => message).join('\n'))?.[0] ?? 'not said';
}

test('the documentation has what the doctor calculates with', () => {
  const text = read('docs/operations.md');
  for (const row of rows()) expect(text).toContain(row);
});

test('operations and the guide to mainnet have what the doctor says of memory', () => {
  const memory = said(/[\d.]+ GiB after a month/);
  expect(read('docs/operations.md')).toContain(`with 2.5 GiB for the state, ${memory}`);
  expect(read('docs/guides/follow-mainnet.md')).toContain(
    `memory of ${memory} with 2.5 GiB for the state`,
  );
});

test('the guide to mainnet and the chart have what the doctor says of disk', () => {
  const day = said(/\d+ GB to \d+ GB a day/);
  expect(read('docs/guides/follow-mainnet.md')).toContain(`local disk for ${day}`);
  expect(read('deploy/helm/mintscope/values.yaml')).toContain(`Mainnet takes ${day}, and 60 GB`);
  expect(MAINNET_GROWTH.fixedDiskBytes).toBe(60e9);
});

test('the volume of the chart lasts three days of the busiest mainnet', () => {
  const { persistence } = parse(read('deploy/helm/mintscope/values.yaml')) as {
    readonly persistence: { readonly size: string };
  };
  expect(persistence.size).toMatch(/^\d+Ti$/);
  const sizeBytes = Number.parseInt(persistence.size, 10) * 2 ** 40;
  expect(daysUntilFull(MAINNET_GROWTH.swapsPerSecond[1], sizeBytes)).toBeGreaterThanOrEqual(3);
});
