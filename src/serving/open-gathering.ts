import type { FastifyBaseLogger } from 'fastify';
import type { MetricFamilies } from '../api/http/metrics.ts';
import { GatheringThread } from '../gathering/gathering-thread.ts';
import type { GatheringFamily, GatheringSettings } from '../gathering/messages.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { stopProcess } from '../lib/stop-process.ts';
import type { Service } from '../service/app.ts';
import { TokenFeed } from './token-feed.ts';

/** What gathers off-chain facts beside a service, fed by its fold. */
export interface OpenGathering {
  /** To be told of the fold. */
  readonly feed: FoldListener;
  expose(metrics: MetricFamilies): void;
  /** Ends the thread, after `drainMs` by force. */
  close(drainMs: number): Promise<void>;
}

/** Starts the thread. Whatever becomes of it, the service goes on: it is started again. */
export function openGathering(
  { ingestion, store }: Pick<Service, 'ingestion' | 'store'>,
  settings: GatheringSettings,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  workerUrl?: URL,
): OpenGathering {
  const state = {
    get engine() {
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot ?? -1;
    },
    get stored() {
      const { epoch, slot } = store.cursor;
      return { epoch, slot };
    },
  };
  const feed = new TokenFeed({
    state,
    changed: store.changed,
    send: (batch) => thread.send(batch),
    onProblem: (error) => logger.warn({ err: error }, 'tokens to gather facts of cannot be read'),
  });
  const thread = new GatheringThread({
    settings,
    onReady: (reached, tracked) => feed.ready(reached, tracked),
    onTaken: (number) => feed.took(number),
    onLost: (reason, restartMs) => {
      feed.lost();
      logger.warn(
        { reason, restartMs },
        'the gathering of off-chain facts stopped; it is restarted',
      );
    },
    onUnread: stopProcess,
    ...(workerUrl === undefined ? {} : { workerUrl }),
  });
  return {
    feed,
    expose: (metrics) => exposeGathering(metrics, thread),
    close: async (drainMs) => {
      feed.lost();
      await thread.close(drainMs);
    },
  };
}

function exposeGathering(metrics: MetricFamilies, thread: GatheringThread): void {
  const samplesOf = (families: readonly GatheringFamily[], name: string) =>
    families.find((family) => family.name === name)?.samples ?? [];
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    metrics.exposeCounter({
      name,
      help,
      labelNames,
      read: () => samplesOf(thread.counts.counters, name),
    });
  counter('offchain_fetches_total', 'Tries to gather something, by what became of them.', [
    'kind',
    'outcome',
  ]);
  counter('offchain_jobs_dropped_total', 'Jobs that made room for those of newer tokens.', []);
  metrics.exposeGauge({
    name: 'offchain_jobs',
    help: 'Things to gather, by kind and state; dead ones were given up.',
    labelNames: ['kind', 'state'],
    read: () => samplesOf(thread.counts.gauges, 'offchain_jobs'),
  });
  counter('social_posts_total', 'Posts, edits and deletions, by what became of them.', ['outcome']);
  counter('social_refused_batches_total', 'Batches of posts that the database refused.', []);
  counter('social_collected_total', 'What collectors did, since they began.', [
    'collector',
    'what',
  ]);
  const gauge = (name: string, help: string, labelNames: readonly string[]) =>
    metrics.exposeGauge({
      name,
      help,
      labelNames,
      read: () => samplesOf(thread.counts.gauges, name),
    });
  gauge('social_posts_waiting', 'Posts that wait to be counted.', []);
  gauge('social_tracked_tokens', 'Tokens whose posts are collected.', []);
  gauge('social_collector_running', '1 while a collector reads, 0 while it waits or has stopped.', [
    'collector',
  ]);
  metrics.exposeCounter({
    name: 'gathering_restarts_total',
    help: 'Times the gathering thread ended by itself and was started again.',
    read: () => [[{}, thread.restarts]],
  });
}
