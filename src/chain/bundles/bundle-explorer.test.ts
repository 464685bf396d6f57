import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import { FakePlatform, ok, type Reply } from '../../../tests/support/fake-platform.ts';
import type { Clock } from '../../lib/clock.ts';
import { asSlot } from '../../model/units.ts';
import { BundleExplorer } from './bundle-explorer.ts';

const PAIR = [signature('first'), signature('second')];
const entry = (slot: number) => ({ bundleId: 'b', slot, txSignatures: PAIR });

let server: FakePlatform;
let clock: Clock;
let stopping: AbortController;
let explorer: BundleExplorer;

/** A clock that only passes while somebody sleeps. */
function sleepless(): Clock {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
}

function open(requestsPerSecond: number): BundleExplorer {
  const { signal } = stopping;
  return new BundleExplorer({ url: `${server.url}/proxy/`, requestsPerSecond, clock, signal });
}

beforeEach(async () => {
  clock = sleepless();
  stopping = new AbortController();
  server = await FakePlatform.start(() => clock.nowMs());
  server.handle = ({ path }) => ok([entry(Number(path.split('/').at(-1)))]);
  explorer = open(4);
});

afterEach(async () => {
  stopping.abort();
  await explorer.close();
  await server.close();
});

describe('a bundle explorer', () => {
  test('is asked for one slot below the path of its address', async () => {
    expect(await explorer.bundlesOf(asSlot(42))).toEqual([{ signatures: PAIR }]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /proxy/api/v1/bundles/slot/42',
    ]);
  });

  test('that has no record of a slot gives null, which is not "no bundles"', async () => {
    server.handle = () => ({ kind: 'json', status: 404, json: { error: 'Slot not found' } });
    expect(await explorer.bundlesOf(asSlot(42))).toBeNull();
  });

  test('is not asked more often in a second than configured', async () => {
    for (let slot = 1; slot <= 12; slot++) await explorer.bundlesOf(asSlot(slot));
    const times = server.requests.map(({ atMs }) => atMs);
    for (const [at, time] of times.entries()) {
      const inSecond = times.filter((other) => other >= time && other < time + 1_000).length;
      expect(inSecond, `from request ${at + 1}`).toBeLessThanOrEqual(4);
    }
    // Eleven gaps of a quarter of a second, and of a tenth more for bunching.
    expect(clock.nowMs() - (times[0] ?? 0)).toBeLessThan(11 * 250 * 1.2);
  });

  test.each([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['no time', {}, 5_000],
    ['a time that is no number', { 'retry-after': 'later' }, 5_000],
    ['a year', { 'retry-after': '999999' }, 600_000],
  ])('that refuses with %s is left alone for so long', async (_, headers, pauseMs) => {
    server.faults.push({ path: '/', reply: { kind: 'json', status: 429, headers, json: {} } });
    await expect(explorer.bundlesOf(asSlot(1))).rejects.toThrow('answered with status 429');
    const [refused] = server.requests;
    await explorer.bundlesOf(asSlot(2));
    const [, next] = server.requests;
    expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBe(pauseMs);
  });

  test.each<[string, Reply, RegExp]>([
    ['fails', { kind: 'json', status: 500, json: {} }, /status 500/],
    ['answers with a page', { kind: 'text', text: '<html>' }, /not a list of bundles/],
    ['answers about another slot', ok([entry(41)]), /a bundle of another slot/],
    ['cuts its answer', { kind: 'cut', text: '[{"slot":' }, /the connection failed/],
    [
      'answers without end',
      ok([{ ...entry(42), validator: 'x'.repeat(5 * 1_024 * 1_024) }]),
      /its answer is refused/,
    ],
  ])('that %s rejects with a sentence without its path', async (_, reply, message) => {
    server.faults.push({ path: '/', reply });
    const error = await explorer.bundlesOf(asSlot(42)).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(message);
    expect(String(error)).toMatch(/Bundle explorer 127\.0\.0\.1:\d+/);
    expect(String(error)).not.toContain('proxy');
  });

  test('is not asked any more once it is stopped', async () => {
    stopping.abort();
    await expect(explorer.bundlesOf(asSlot(1))).rejects.toThrow('the request was stopped');
    expect(server.requests).toEqual([]);
  });
});
