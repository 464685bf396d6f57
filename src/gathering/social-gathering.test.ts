import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTracked, eventsOf, POSTED_MS } from '../../tests/support/build-post.ts';
import type { Clock } from '../lib/clock.ts';
import type {
  Collector,
  CollectorContext,
  CollectorCounts,
} from '../social/collecting/collector.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { SocialReader } from '../store/offchain/social-reads.ts';
import { SocialGathering } from './social-gathering.ts';
import { SocialService } from './social-service.ts';

const COUNTS: CollectorCounts = {
  ...{ requests: 3, failures: 0, posts: 1, deletions: 0, repeats: 0, malformed: 0 },
  ...{ fromFuture: 0, gaps: 0, unasked: 0 },
};

/** Delays end immediately. */
const impatient: Clock = { nowMs: () => 0, sleep: async () => undefined };

const open: DatabaseSync[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function gather(run: (context: CollectorContext) => Promise<void>) {
  const database = openOffchainPlane(':memory:');
  open.push(database);
  const service = new SocialService({
    ...{ database, nowMs: () => POSTED_MS, score: () => 0.5, modelVersion: 'm1' },
  });
  service.track([buildTracked()]);
  const collector: Collector = { platform: 'bluesky', name: 'sky', run };
  const failures: unknown[] = [];
  const statuses: string[] = [];
  const gathering = new SocialGathering({
    ...{ service, collectors: [collector], clock: impatient, nowMs: () => POSTED_MS },
    random: () => 0,
    onFailure: (error) => failures.push(error),
    onStatus: ({ state }) => statuses.push(state.kind === 'waiting' ? state.reason : state.kind),
  });
  const reader = new SocialReader(database);
  return { service, gathering, reader, failures, statuses };
}

const { mint } = buildTracked();

describe('SocialGathering', () => {
  it('counts posts of a collector, stores its cursor, and passes it the search terms', async () => {
    let wanted: readonly string[] = [];
    const { gathering, reader, statuses, service } = gather(async (context) => {
      wanted = context.wanted().mints;
      const status = { name: 'sky', platform: 'bluesky', counts: COUNTS } as const;
      context.report({ ...status, state: { kind: 'running' } });
      context.report({ ...status, state: { kind: 'running' } });
      await context.emit([eventsOf()]);
      await context.cursor.write('17');
      context.report({ ...status, state: { kind: 'stopped', message: 'the token is revoked' } });
    });
    await new Promise(setImmediate);
    service.flush();
    await new Promise(setImmediate);
    expect(wanted).toEqual([mint]);
    expect(service.cursor('sky')).toBe('17');
    expect(statuses).toEqual(['running', 'stopped']);
    expect(reader.tracked(mint)).toMatchObject({ totals: { posts: 1 }, polledAtMs: POSTED_MS });
    const { counters, gauges } = gathering.counts;
    const samplesOf = (name: string) =>
      [...counters, ...gauges].find((family) => family.name === name)?.samples ?? [];
    expect(samplesOf('social_posts_total')).toContainEqual([{ outcome: 'taken' }, 1]);
    expect(samplesOf('social_collected_total')).toContainEqual([
      { collector: 'sky', what: 'requests' },
      3,
    ]);
    expect(samplesOf('social_collector_running')).toEqual([[{ collector: 'sky' }, 0]]);
    gathering.close();
  });

  it('reports when the waiting reason of a collector changes, and not each time it waits', async () => {
    const { gathering, statuses } = gather(async (context) => {
      const status = { name: 'sky', platform: 'bluesky', counts: COUNTS } as const;
      for (const reason of ['nothing-wanted', 'failing', 'failing', 'rate-limited'] as const) {
        const state = { kind: 'waiting', reason, untilMs: 0, message: reason } as const;
        context.report({ ...status, state });
      }
    });
    await new Promise(setImmediate);
    expect(statuses).toEqual(['nothing-wanted', 'failing', 'rate-limited']);
    gathering.close();
  });

  it('counts the last posts at its end, and releases all producers', async () => {
    let isEnded = false;
    const { gathering, reader } = gather(async (context) => {
      await context.emit([eventsOf()]);
      await context.cursor.write('1');
      isEnded = context.signal.aborted;
    });
    await new Promise(setImmediate);
    gathering.close();
    await new Promise(setImmediate);
    expect(isEnded).toBe(true);
    expect(reader.tracked(mint)?.totals.posts).toBe(1);
  });

  it('restarts a collector that fails by its own fault', async () => {
    let runs = 0;
    const { gathering, failures } = gather(async () => {
      if (++runs < 4) throw new TypeError('undefined is not a post');
    });
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect([runs, failures.length]).toEqual([4, 3]);
    gathering.close();
  });
});
