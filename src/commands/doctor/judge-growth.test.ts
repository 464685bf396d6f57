import { describe, expect, test } from 'vitest';
import { judgeGrowth } from './judge-growth.ts';

const GIB = 2 ** 30;
const LARGE = {
  ...{ freeBytes: 10e12, memoryBytes: 64 * GIB, stateMemoryBytes: 21 * GIB },
  logDaysMax: null as number | null,
};

function find(check: string, facts: Partial<typeof LARGE> | { readonly freeBytes: null }) {
  return judgeGrowth({ ...LARGE, ...facts }).find((finding) => finding.check === check);
}

describe('what following mainnet takes', () => {
  test('is a sum of log, history and state a day, and of days for a month and a year', () => {
    // 110 million swaps of 900, 300 and 350 bytes; 30 and 365 days of 170.5 GB, and 20 GB.
    expect(find('growth', {})).toMatchObject({
      status: 'ok',
      message:
        'following mainnet takes up to 171 GB a day (log 99 GB, history 33 GB, state 39 GB) and ' +
        '20 GB for earlier checkpoints: 5.1 TB for a month, 62.3 TB for a year; the free space ' +
        'lasts 58.5 days',
      advice: null,
    });
  });

  test('is a warning where the disk is full in less than three days', () => {
    expect(find('growth', { freeBytes: 532e9 })?.status).toBe('ok');
    expect(find('growth', { freeBytes: 531e9 })?.status).toBe('warn');
    expect(find('growth', { freeBytes: 1e9 })?.message).toMatch(/lasts 0\.0 days$/);
    expect(find('growth', { freeBytes: null })?.message).not.toMatch(/lasts/);
  });

  test('has a log that stops growing with a retention', () => {
    // 20 GB, 10 days of 99 GB of log, and 71.5 GB a day: 990 + 20 + 30 or 365 times 71.5 GB.
    expect(find('growth', { logDaysMax: 10 })?.message).toContain(
      '(log 99 GB, for at most 10.0 days, history 33 GB, state 39 GB) and 20 GB for earlier ' +
        'checkpoints: 3.2 TB for a month, 27.1 TB for a year',
    );
    // 10 days take 1,725 GB; then 71.5 GB a day.
    expect(find('growth', { logDaysMax: 10 })?.message).toMatch(/lasts 125\.7 days$/);
    expect(find('growth', { logDaysMax: 10, freeBytes: 1_725e9 })?.message).toMatch(
      /lasts 10\.0 days$/,
    );
    // Full before the log stops growing: (1,000 - 20) / 170.5.
    expect(find('growth', { logDaysMax: 10, freeBytes: 1e12 })?.message).toMatch(
      /lasts 5\.7 days$/,
    );
  });

  test('needs memory for what two hours add, and three times as much for the machine', () => {
    // 110 million / 12 swaps of 350 bytes: 2.99 GiB.
    expect(find('state memory', {})).toMatchObject({
      status: 'ok',
      message:
        '21.0 GiB for the state, whose rest is on disk; mainnet needs 3.0 GiB, a machine of 9 ' +
        'GiB, for a month or a year alike',
    });
    expect(find('state memory', { stateMemoryBytes: 2.9 * GIB })?.status).toBe('warn');
    expect(find('state memory', { stateMemoryBytes: 39 * GIB })?.advice).toMatch(/^Lower/);
  });
});
