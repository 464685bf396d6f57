import type { BatchReads } from '../api/batch-reads.ts';
import type { ChainStatus } from '../api/chain-status.ts';
import type { ApiDeps, PoolReads, SignalRepository } from '../api/deps.ts';
import type { TokenReads } from '../api/token-reads.ts';
import type { AsOf } from '../model/as-of.ts';
import type { FiguresPage, FiguresQuery } from '../model/signal-listing.ts';
import type { LiveAnswer, LiveRowName } from './live-rows.ts';
import type { MetricsFormat, MetricsPage } from './messages.ts';
import type { Answers, Remote } from './remote-reads.ts';

/**
 * The reads that the API sends to the thread of the engine and the store: its own interfaces, group
 * by group, except what it answers from its own memory.
 */
export interface ServiceReads
  extends Pick<
    ApiDeps,
    | 'candles'
    | 'indicators'
    | 'past'
    | 'wallets'
    | 'bundles'
    | 'trades'
    | 'exports'
    | 'fraud'
    | 'triggers'
    | 'webhooks'
    | 'rules'
    | 'detectors'
    | 'backtests'
  > {
  readonly tokens: Pick<
    TokenReads,
    'holderPage' | 'topTraders' | 'firstBuyers' | 'holderCounts' | 'search'
  >;
  readonly batches: Pick<BatchReads, 'pools' | 'wallets' | 'fraudChecks'>;
  readonly pools: Pick<PoolReads, 'list' | 'listing'>;
  readonly signals: Pick<SignalRepository, 'list' | 'listWithRules' | 'find'> & {
    /** What is new to the caller of the figures that statistics of signals are computed from. */
    figures(known: FiguresQuery): Promise<AsOf<FiguresPage>>;
  };
  readonly chain: Pick<ChainStatus, 'readiness' | 'coverage'>;
  readonly rows: {
    /** Current rows, which are watched from the answer on. */
    current(names: readonly LiveRowName[]): Promise<LiveAnswer>;
  };
  readonly metrics: { page(format: MetricsFormat): Promise<MetricsPage> };
}

export type RemoteServiceReads = Remote<ServiceReads>;
export type ServiceAnswers = Answers<ServiceReads>;
