import type { DatabaseSync } from 'node:sqlite';
import type { FastifyBaseLogger } from 'fastify';
import { monotonicClock } from '../lib/clock.ts';
import { createCollectors } from '../social/collectors/registry.ts';
import { createPostScorer } from '../social/sentiment/score-post.ts';
import { readShippedModel } from '../social/sentiment/weights-file.ts';
import type { GatheringCounts, GatheringSettings } from './messages.ts';
import { SocialGathering } from './social-gathering.ts';
import { SocialService } from './social-service.ts';

/** Counting of posts on the gathering thread. */
export interface OpenSocial {
  readonly service: SocialService;
  readonly counts: GatheringCounts;
  close(): void;
}

/** Starts collecting posts, scored by the shipped model. The caller closes the database. */
export function openSocial(
  database: DatabaseSync,
  { collectors, answers }: Pick<GatheringSettings, 'collectors' | 'answers'>,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
): OpenSocial {
  const { weights, card } = readShippedModel();
  const scorer = createPostScorer(weights);
  const service = new SocialService({
    database,
    nowMs: Date.now,
    score: (text) => scorer(text).score,
    modelVersion: card.version,
    isShared: answers !== undefined,
  });
  const gathering = new SocialGathering({
    service,
    collectors: collectors === undefined ? [] : createCollectors(collectors),
    clock: monotonicClock,
    nowMs: Date.now,
    random: Math.random,
    onFailure: (error) => logger.error({ err: error }, 'posts could not be collected or counted'),
    onStatus: ({ name, state }) => {
      if (state.kind === 'stopped') logger.warn({ collector: name, ...state }, 'collector stopped');
      else logger.info({ collector: name, ...state }, 'collector');
    },
  });
  return {
    service,
    get counts() {
      return gathering.counts;
    },
    close: () => gathering.close(),
  };
}
