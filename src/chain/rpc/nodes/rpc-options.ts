import type { Clock } from '../../../lib/clock.ts';
import type { ChainPoint } from '../../block-link.ts';
import type { BlockStream, StreamUse } from '../../block-stream.ts';
import type { FinalityStrategy } from '../../finality.ts';
import type { OpenGap } from '../../open-gaps.ts';
import type { BlockFetcher } from './block-fetcher.ts';
import type { Endpoint } from './endpoint.ts';
import type { HealthOptions } from './node-health.ts';
import type { NodePool } from './node-pool.ts';
import type { PollPaceOptions } from './poll-pace.ts';
import type { PostLimits } from './post-json.ts';
import type { BlockReading, CompareMode } from './testimony.ts';

/** How long things may take and how much there may be at once. Nothing here is a slot's time. */
export interface RpcTuning {
  /** Of each node. */
  readonly requestsPerSecond: number;
  readonly limits: PostLimits;
  readonly health: HealthOptions;
  readonly poll: PollPaceOptions;
  /** Between two looks at how far each node is. */
  readonly nodeCheckMs: number;
  /** A node that is this many slots behind the others is asked last. */
  readonly behindSlotsMax: number;
  /** Requests for blocks at once, when many are waited for. */
  readonly concurrencyMax: number;
  /** Blocks fetched and waiting for one before them. */
  readonly blocksAheadMax: number;
  /** A block that a node has not given after this time is asked of a second one. */
  readonly hedgeAfterMs: number;
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /** A missed block that all working nodes deny is named missing after this time. */
  readonly giveUpAfterMs: number;
  /** The same where nodes do not answer. */
  readonly outageGiveUpAfterMs: number;
  readonly hintSilenceMs: number;
  readonly hintBackoffMs: number;
  readonly hintBackoffMaxMs: number;
  /** Between two rounds of asking for a slot that was named missing; each asks every node once. */
  readonly gapRetryMs: number;
  /** While the stream brings blocks at least this often, nodes are not asked which there are. */
  readonly streamSilenceMs: number;
  /** A block that no second node has told by then is believed on the word of one. */
  readonly compareWithinMs: number;
}

export const RPC_TUNING: RpcTuning = {
  requestsPerSecond: 20,
  limits: { deadlineMs: 10_000, answerBytesMax: 128 * 2 ** 20 },
  health: { circuitFailures: 5, backoffBaseMs: 100, backoffMaxMs: 30_000 },
  poll: { leastMs: 50, mostMs: 1_000 },
  nodeCheckMs: 2_000,
  behindSlotsMax: 50,
  concurrencyMax: 16,
  blocksAheadMax: 32,
  hedgeAfterMs: 2_000,
  retryBaseMs: 50,
  retryMaxMs: 2_000,
  giveUpAfterMs: 6_000,
  outageGiveUpAfterMs: 60_000,
  hintSilenceMs: 15_000,
  hintBackoffMs: 1_000,
  hintBackoffMaxMs: 30_000,
  gapRetryMs: 5_000,
  streamSilenceMs: 2_000,
  compareWithinMs: 10_000,
};

export interface RpcSourceOptions {
  /** The preferred one first; none where a stream brings the blocks. */
  readonly endpoints: readonly Endpoint[];
  /** Nodes at these endpoints that others ask too; without it the source has its own. */
  readonly pool?: NodePool;
  /** Brings new blocks; nodes then fill what it leaves out, and stand in while it is silent. */
  readonly stream?: ((use: StreamUse) => BlockStream) | null;
  /** The last final block that is stored; null begins at the newest final slot of the nodes. */
  readonly anchor?: ChainPoint | null;
  /** Gaps of the log before the anchor: asked for while nothing newer waits. */
  readonly gaps?: readonly OpenGap[];
  /** Null asks the nodes which one the network has. */
  readonly finality?: FinalityStrategy | null;
  readonly fetcher?: BlockFetcher | null;
  /** Which blocks are asked of a second node before they are final, and how they are read. */
  readonly comparison?: { readonly mode: CompareMode; readonly reading: BlockReading } | null;
  /** Told what somebody should hear of nodes and stream, in sentences. */
  readonly onNotice?: (sentence: string) => void;
  /** Runs beside it as long as the source is read. Never rejects for what others do. */
  readonly beside?: (signal: AbortSignal) => Promise<void>;
  /** Ends the source. */
  readonly signal?: AbortSignal;
  readonly tuning?: Partial<RpcTuning>;
  readonly clock?: Clock;
  /** Numbers from 0 to below 1, for jitter. */
  readonly random?: () => number;
}
