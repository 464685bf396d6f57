import { setTimeout as delay } from 'node:timers/promises';
import type { SocialPost } from '../../simulator/posts/social-post.ts';
import type { Simulation } from '../../simulator/simulation.ts';
import { eventsOf } from '../../src/commands/simulated-posts.ts';
import { Gathering } from '../../src/gathering/gathering.ts';
import type { TokenUpdate, TrackingUpdate } from '../../src/gathering/messages.ts';
import { createSimulatedFetch } from '../../src/gathering/simulated-fetch.ts';
import { SocialService } from '../../src/gathering/social-service.ts';
import { RecentMap } from '../../src/lib/recent-map.ts';
import type { PostEvent } from '../../src/model/social-post.ts';
import { PictureHasher } from '../../src/offchain/images/picture-hasher.ts';
import type { Service } from '../../src/service/app.ts';
import { TokenFilter } from '../../src/service/token-filter.ts';
import { createPostScorer } from '../../src/social/sentiment/score-post.ts';
import { readShippedModel } from '../../src/social/sentiment/weights-file.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';

const POLL_MS = 5;
const POSTS_MAX = 100_000;

export interface GatheredMarket {
  readonly service: Service;
  readonly dataDir: string;
  readonly simulation: Simulation;
  readonly webOrigin: string;
}

/**
 * Gathers the documents and pictures of the tokens that `ingest` adds to the service, and counts the
 * posts about them, in this thread and until nothing is left.
 */
export async function gatherOffchain(
  market: GatheredMarket,
  ingest: () => Promise<unknown>,
): Promise<void> {
  const updates = await updatesDuring(market.service, ingest);
  const database = openOffchainPlane(dataFolderAt(market.dataDir).offchainFile);
  const social = openSocial(database);
  // Which pictures have a hash must not depend on the speed of the machine.
  const hasher = new PictureHasher({ timeoutMs: 120_000 });
  const failures: unknown[] = [];
  const gathering = new Gathering({
    database,
    fetch: createSimulatedFetch(market.webOrigin),
    hash: (bytes) => hasher.hash(bytes),
    gateways: { ipfs: [], arweave: [] },
    // Without waits, so that jobs of one host do not wait for each other.
    clock: { nowMs: () => 0, sleep: async () => undefined },
    nowMs: Date.now,
    random: () => 0,
    requestsPerSecond: 1_000_000,
    onTracked: (tokens) => social.track(tokens),
    onDead: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  gathering.take({ ...updates, reached: null });
  while (gathering.running > 0) {
    await delay(POLL_MS);
    gathering.pump();
  }
  await social.emit(await postsOf(market.simulation));
  while (social.flush());
  gathering.close();
  social.close();
  hasher.close();
  database.close();
  if (failures.length > 0) throw failures[0];
}

/** Tokens and tracked tokens of the slots that are applied meanwhile. */
async function updatesDuring({ ingestion }: Service, ingest: () => Promise<unknown>) {
  const filter = new TokenFilter(() => ingestion.engine);
  const tokens: TokenUpdate[] = [];
  const tracked: TrackingUpdate[] = [];
  ingestion.listen({
    onApplied: (changes) => {
      const updates = filter.updatesOf(changes);
      tokens.push(...updates.tokens);
      tracked.push(...updates.tracked);
    },
    onReverted: () => undefined,
    onReplaced: () => undefined,
    onStep: () => undefined,
  });
  await ingest();
  return { tokens, tracked };
}

function openSocial(database: ReturnType<typeof openOffchainPlane>): SocialService {
  const { weights, card } = readShippedModel();
  const scorer = createPostScorer(weights);
  const score = (text: string) => scorer(text).score;
  return new SocialService({ database, nowMs: Date.now, score, modelVersion: card.version });
}

async function postsOf(simulation: Simulation): Promise<readonly PostEvent[]> {
  return await eventsOf(simulation.takePosts(), new RecentMap<string, SocialPost>(POSTS_MAX));
}
