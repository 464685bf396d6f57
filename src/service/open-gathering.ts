import type { FastifyBaseLogger } from 'fastify';
import type { MetricFamilies } from '../api/http/metrics.ts';
import { type GatheringStream, GatheringThread } from '../gathering/gathering-thread.ts';
import type { GatheringFamily, GatheringSettings } from '../gathering/messages.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { stopProcess } from '../lib/stop-process.ts';
import type { Service } from './app.ts';
import { serviceState } from './service-state.ts';
import { TokenFeed } from './token-feed.ts';

/** The gatherer of off-chain facts, fed by the fold of a service. */
export interface OpenGathering {
  /** Listener to add to the fold. */
  readonly feed: FoldListener;
  expose(metrics: MetricFamilies): void;
  /** Ends the thread, by force after `drainMs`. */
  close(drainMs: number): Promise<void>;
}

/**
 * Starts the gathering thread. It is restarted on failure and never stops the service. With a stream,
 * it stores what one of several replicas gathers.
 */
export function openGathering(
  service: Pick<Service, 'ingestion' | 'store'>,
  settings: GatheringSettings,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  { stream, workerUrl }: { readonly stream?: GatheringStream; readonly workerUrl?: URL } = {},
): OpenGathering {
  const feed = new TokenFeed({
    state: serviceState(service),
    changed: service.store.changed,
    send: (batch) => thread.send(batch),
    onProblem: (error) => logger.warn({ err: error }, 'tokens to gather facts of cannot be read'),
  });
  const thread = new GatheringThread({
    settings,
    onReady: (reached, tracked) => feed.ready(reached, tracked),
    onTaken: (number) => feed.took(number),
    onResting: () => feed.lost(),
    ...(stream === undefined ? {} : { stream }),
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
  counter('offchain_fetches_total', 'Attempts to gather off-chain facts, by outcome.', [
    'kind',
    'outcome',
  ]);
  counter('offchain_jobs_dropped_total', 'Jobs dropped in favour of newer tokens.', []);
  metrics.exposeGauge({
    name: 'offchain_jobs',
    help: 'Gathering jobs, by kind and state; dead jobs are no longer retried.',
    labelNames: ['kind', 'state'],
    read: () => samplesOf(thread.counts.gauges, 'offchain_jobs'),
  });
  counter('social_posts_total', 'Posts, edits and deletions, by outcome.', ['outcome']);
  counter('social_refused_batches_total', 'Batches of posts refused by the database.', []);
  counter('social_collected_total', 'Actions of collectors since their start.', [
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
  gauge('social_posts_waiting', 'Posts waiting to be counted.', []);
  gauge('social_tracked_tokens', 'Tokens whose posts are collected.', []);
  gauge('social_collector_running', '1 while a collector is reading, 0 otherwise.', ['collector']);
  metrics.exposeCounter({
    name: 'gathering_restarts_total',
    help: 'Restarts of the gathering thread after an unexpected end.',
    read: () => [[{}, thread.restarts]],
  });
}
