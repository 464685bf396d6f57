import { afterEach, expect, it } from 'vitest';
import { buildTracked } from '../../tests/support/build-post.ts';
import { commit, DID, FakeBluesky } from '../../tests/support/fake-bluesky.ts';
import { monotonicClock } from '../lib/clock.ts';
import { COLLECTOR_DEFAULTS, createCollectors } from '../social/collectors/registry.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { SocialReader } from '../store/offchain/social-reads.ts';
import { SocialGathering } from './social-gathering.ts';
import { SocialService } from './social-service.ts';

const { mint } = buildTracked();
const database = openOffchainPlane(':memory:');
const reader = new SocialReader(database);
let bluesky: FakeBluesky;
let running: { readonly gathering: SocialGathering; readonly service: SocialService } | null = null;

afterEach(async () => {
  running?.gathering.close();
  await bluesky.close();
  database.close();
});

/** Posts as returned by the platform's API, counted by the collector of the service. */
function begin() {
  const service = new SocialService({
    ...{ database, nowMs: Date.now, modelVersion: 'm1' },
    score: (text) => (text.startsWith('good') ? 0.5 : -0.5),
  });
  service.track([buildTracked({ trackingSinceMs: Date.now() - 3_600_000 })]);
  const collectors = createCollectors({
    ...COLLECTOR_DEFAULTS,
    blueskyJetstreamUrls: [new URL(bluesky.url).origin],
    blueskyAppviewUrl: bluesky.appview.url,
  });
  const parts = { service, collectors, clock: monotonicClock, nowMs: Date.now };
  const gathering = new SocialGathering({
    ...parts,
    ...{ random: Math.random, onFailure: () => undefined, onStatus: () => undefined },
  });
  running = { gathering, service };
  return service;
}

async function until(service: SocialService, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    service.flush();
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('what was waited for never came');
}

it('counts events of Bluesky once: created, edited, deleted, and repeated after a restart', async () => {
  bluesky = await FakeBluesky.start(Date.now);
  bluesky.profiles.set(DID, {
    ...{ did: DID, handle: 'ann.bsky.social', followersCount: 5_000, followsCount: 100 },
    ...{ postsCount: 321, createdAt: '2024-02-01T00:00:00.000Z' },
  });
  const startMs = Date.now() - 5_000;
  const record = (text: string) => ({
    text: `${text} ${mint}`,
    createdAt: new Date(startMs).toISOString(),
  });
  const totals = () => reader.tracked(mint)?.totals;
  const first = begin();
  await until(first, () => bluesky.sockets.length === 1);
  bluesky.publish(commit(startMs + 1, 'one', record('good')));
  bluesky.publish(commit(startMs + 2, 'two', record('good as well')));
  await until(first, () => totals()?.posts === 2);
  expect(totals()).toMatchObject({ reach: 5_000, sentimentMicro: 1_000_000 });
  bluesky.publish(commit(startMs + 3, 'two', record('bad after all'), 'update'));
  bluesky.publish(commit(startMs + 4, 'one', null, 'delete'));
  await until(first, () => totals()?.posts === 1 && totals()?.sentimentMicro === -500_000);
  running?.gathering.close();
  // The stream restarts some seconds before the stored cursor.
  const second = begin();
  bluesky.publish(commit(startMs + 5, 'three', record('good again')));
  await until(second, () => totals()?.posts === 2);
  expect(totals()).toMatchObject({ posts: 2, reach: 5_000, sentimentMicro: 0 });
  expect(reader.tracked(mint)?.polledAtMs).toBeGreaterThan(startMs);
});
