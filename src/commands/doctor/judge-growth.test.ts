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
    // 64.8 and 172.8 million swaps of 900, 300 and 800 bytes; 30 and 365 days of 129.6 and 345.6 GB,
    // and 60 GB.
    expect(find('growth', {})).toMatchObject({
      status: 'ok',
      message:
        'following mainnet takes 130 GB to 346 GB a day (log 59 GB to 156 GB, history 20 GB to 52 GB, ' +
        'state 52 GB to 139 GB) and 60 GB for earlier checkpoints and windows: 3.9 TB to 10.4 TB for a month, ' +
        '47.4 TB to 126.2 TB for a year; the free space lasts 28.8 to 76.7 days',
      advice: null,
    });
  });

  test('is a warning where the disk is full in less than three busy days', () => {
    // 60 GB and three days of 345.6 GB are 1,096.8 GB.
    expect(find('growth', { freeBytes: 1_096.9e9 })?.status).toBe('ok');
    expect(find('growth', { freeBytes: 1_096.7e9 })?.status).toBe('warn');
    expect(find('growth', { freeBytes: 1e9 })?.message).toMatch(/lasts 0\.0 to 0\.0 days$/);
    expect(find('growth', { freeBytes: null })?.message).not.toMatch(/lasts/);
  });

  test('has a log that stops growing with a retention', () => {
    // Busy: 10 days of 155.52 GB of log, 60 GB, and 30 or 365 days of 190.08 GB.
    expect(find('growth', { logDaysMax: 10 })?.message).toContain(
      '(log 59 GB to 156 GB, for at most 10.0 days, history 20 GB to 52 GB, state 52 GB to 139 GB) ' +
        'and 60 GB for earlier checkpoints and windows: 2.8 TB to 7.3 TB for a month, 26.7 TB to 71.0 TB for a year',
    );
    // Ten busy days take 3,516 GB, then 190.08 GB a day; ten calm ones 1,356 GB, then 71.28 GB.
    expect(find('growth', { logDaysMax: 10 })?.message).toMatch(/lasts 44\.1 to 131\.3 days$/);
    // Full before the log stops growing: (1,000 - 60) GB / 345.6 and / 129.6.
    expect(find('growth', { logDaysMax: 10, freeBytes: 1e12 })?.message).toMatch(
      /lasts 2\.7 to 7\.3 days$/,
    );
  });

  test('is in memory the state, a second one for a refold, and what lies beside them', () => {
    // 42 GiB of states, an eighth of 21 GiB, 1.5 GiB of the process, and 600 bytes of 630,000
    // launches: 46.48 GiB; of 7.7 million launches: 50.41 GiB.
    expect(find('state memory', {})).toMatchObject({
      status: 'ok',
      message:
        '21.0 GiB for the state, whose rest is on disk, twice while the log is folded again; with all ' +
        'else 46.5 GiB after a month of mainnet, 50.4 GiB after a year, of 64.0 GiB',
    });
    expect(find('state memory', { memoryBytes: 46.4 * GIB })).toMatchObject({
      status: 'warn',
      advice: expect.stringMatching(/^Lower --state-memory/),
    });
    expect(find('state memory', { memoryBytes: 46.5 * GIB })?.status).toBe('ok');
  });
});
