import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JobLimits, JobQueue, type TakenJob } from './job-queue.ts';
import { openOffchainPlane } from './offchain-plane.ts';

const NOW_MS = 1_000_000;

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'jobs-')), 'offchain.sqlite');
}

function queueAt(file: string, limits: Partial<JobLimits> = {}, nowMs = NOW_MS) {
  const database = openOffchainPlane(file);
  return { database, queue: new JobQueue(database, nowMs, limits) };
}

const isFree = () => true;
const job = (name: string, rank: number) => ({
  kind: 'metadata',
  key: name,
  url: `https://${name}.example/`,
  rank,
});

function countsOf(queue: JobQueue): Record<string, number> {
  const counts = [...queue.counts()].filter(([, , count]) => count !== 0);
  return Object.fromEntries(counts.map(([kind, state, count]) => [`${kind} ${state}`, count]));
}

function takenNames(queue: JobQueue, count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => queue.take('metadata', NOW_MS, isFree)?.key);
}

function taken(queue: JobQueue, nowMs = NOW_MS): TakenJob {
  const found = queue.take('metadata', nowMs, isFree);
  if (found === null) throw new Error('there is no job');
  return found;
}

describe('JobQueue', () => {
  it('returns the newest job first, and every fourth time the longest waiting one', () => {
    const { queue } = queueAt(newFile());
    for (const [at, rank] of [5, 1, 4, 2, 3, 6].entries()) {
      queue.want(job(`slot-${rank}`, rank), NOW_MS + at);
    }
    // 6, 5, 4 by slot; then the longest waiting one, slot 1; then 3 and 2.
    expect(takenNames(queue, 7)).toEqual([
      'slot-6',
      'slot-5',
      'slot-4',
      'slot-1',
      'slot-3',
      'slot-2',
      undefined,
    ]);
  });

  it('does not starve an old job while new ones keep arriving', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('old', 0), NOW_MS);
    const names: string[] = [];
    for (let at = 1; at <= 8; at++) {
      queue.want(job(`new-${at}a`, at * 2), NOW_MS + at);
      queue.want(job(`new-${at}b`, at * 2 + 1), NOW_MS + at);
      names.push(taken(queue, NOW_MS + at).key);
    }
    expect(names.indexOf('old')).toBe(3);
  });

  it('holds one job per kind and key, with the rank of the newest token that needs it', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('shared', 1), NOW_MS);
    queue.want(job('other', 2), NOW_MS);
    queue.want(job('shared', 3), NOW_MS);
    queue.want({ ...job('shared', 3), kind: 'picture' }, NOW_MS);
    expect(countsOf(queue)).toEqual({ 'metadata pending': 2, 'picture pending': 1 });
    expect(takenNames(queue, 3)).toEqual(['shared', 'other', undefined]);
  });

  it('skips jobs of busy hosts', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('tarpit', 9), NOW_MS);
    queue.want(job('cat', 1), NOW_MS);
    expect(queue.take('metadata', NOW_MS, (url) => !url.includes('tarpit'))?.key).toBe('cat');
    expect(queue.take('metadata', NOW_MS, (url) => !url.includes('tarpit'))).toBeNull();
  });

  it('retries a job when its wait is over and not before', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('cat', 1), NOW_MS);
    const first = taken(queue);
    const end = {
      kind: 'waiting',
      againMs: NOW_MS + 5_000,
      fault: 'timed-out',
      attempts: 1,
    } as const;
    expect(queue.finish(first, end, NOW_MS)).toBe(true);
    expect(queue.take('metadata', NOW_MS + 4_999, isFree)).toBeNull();
    expect(queue.take('metadata', NOW_MS + 5_000, isFree)).toMatchObject({ attempts: 1, reads: 0 });
  });

  it('repeats a finished job when it is due, and counts its successes', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('cat', 1), NOW_MS);
    queue.finish(taken(queue), { kind: 'done', againMs: NOW_MS + 60_000, reads: 1 }, NOW_MS);
    queue.want(job('cat', 7), NOW_MS + 1);
    expect(countsOf(queue)).toEqual({ 'metadata done': 1 });
    expect(queue.take('metadata', NOW_MS + 59_999, isFree)).toBeNull();
    expect(queue.take('metadata', NOW_MS + 60_000, isFree)).toMatchObject({ reads: 1, rank: 7 });
  });

  it('lists dead jobs, and retries one that is requested much later', () => {
    const { queue } = queueAt(newFile(), { reviveAfterMs: 1_000 });
    queue.want(job('cat', 1), NOW_MS);
    queue.finish(taken(queue), { kind: 'dead', fault: 'status-404', attempts: 8 }, NOW_MS);
    expect(queue.deadLetters(10)).toEqual([
      { ...job('cat', 1), fault: 'status-404', diedAtMs: NOW_MS },
    ]);
    queue.want(job('cat', 2), NOW_MS + 999);
    expect(queue.take('metadata', NOW_MS + 999, isFree)).toBeNull();
    queue.want(job('cat', 3), NOW_MS + 1_000);
    expect(taken(queue, NOW_MS + 1_000)).toMatchObject({ rank: 3, attempts: 0 });
    expect(queue.deadLetters(10)).toEqual([]);
  });

  it('gives a job to another worker after its lease, and then ignores the first one', () => {
    const { queue } = queueAt(newFile(), { leaseMs: 1_000 });
    queue.want(job('cat', 1), NOW_MS);
    const first = taken(queue);
    expect(queue.take('metadata', NOW_MS + 999, isFree)).toBeNull();
    const second = taken(queue, NOW_MS + 1_000);
    expect(second.attempts).toBe(1);
    const done = { kind: 'done', againMs: null, reads: 1 } as const;
    expect([queue.holds(first), queue.finish(first, done, NOW_MS + 1_001)]).toEqual([false, false]);
    expect([queue.holds(second), queue.finish(second, done, NOW_MS + 1_002)]).toEqual([true, true]);
  });

  it('requeues the running jobs of an ended process, as one failure, and keeps the rest', () => {
    const file = newFile();
    const before = queueAt(file);
    before.queue.want(job('running', 2), NOW_MS);
    before.queue.want(job('pending', 1), NOW_MS);
    expect(taken(before.queue).key).toBe('running');
    // Another connection reads the committed state: nothing is closed, as after a kill.
    const after = queueAt(file);
    expect(countsOf(after.queue)).toEqual({ 'metadata pending': 2 });
    expect(taken(after.queue)).toMatchObject({ key: 'running', attempts: 1 });
    expect(taken(after.queue)).toMatchObject({ key: 'pending', attempts: 0 });
  });

  it('takes a released job back without counting a failure', () => {
    const { queue } = queueAt(newFile());
    queue.want(job('cat', 1), NOW_MS);
    queue.release(taken(queue), NOW_MS);
    expect(taken(queue)).toMatchObject({ key: 'cat', attempts: 0 });
  });

  it('drops the jobs of the oldest tokens when there are too many, and counts them', () => {
    const { queue } = queueAt(newFile(), { unfinishedMax: 3 });
    for (const rank of [4, 2, 5, 1, 3, 6]) queue.want(job(`slot-${rank}`, rank), NOW_MS);
    expect(queue.dropped).toBe(3);
    expect(countsOf(queue)).toEqual({ 'metadata pending': 3 });
    expect(takenNames(queue, 4)).toEqual(['slot-6', 'slot-5', 'slot-4', undefined]);
  });

  it('keeps a bounded number of finished jobs', () => {
    const { queue } = queueAt(newFile(), { settledMax: 2 });
    for (const rank of [1, 2, 3]) {
      queue.want(job(`slot-${rank}`, rank), NOW_MS);
      queue.finish(taken(queue), { kind: 'done', againMs: null, reads: 1 }, NOW_MS);
    }
    expect(countsOf(queue)).toEqual({ 'metadata done': 2 });
  });
});
