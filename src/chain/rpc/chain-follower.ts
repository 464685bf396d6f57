import type { Clock } from '../../lib/clock.ts';
import { asSlot, isSlot, type Slot } from '../../model/units.ts';
import { confirmedPlus, type FinalityStrategy, networkFinality } from '../finality.ts';
import type { SourceItem } from '../source.ts';
import type { SourceStatus } from '../source-status.ts';
import { BlockFetches } from './block-fetches.ts';
import { BlockComparison } from './comparison/block-comparison.ts';
import { ClusterCheck } from './nodes/cluster-check.ts';
import { createNodePool } from './nodes/create-node-pool.ts';
import { describeFailure } from './nodes/failure-advice.ts';
import { isGenesisCert } from './nodes/genesis-cert.ts';
import type { NodePool } from './nodes/node-pool.ts';
import type { RpcSourceOptions, RpcTuning } from './nodes/rpc-options.ts';
import { OutageWatch } from './outage-watch.ts';
import { ChainRequests } from './questions.ts';
import { SlotHints } from './slot-hints.ts';
import { SlotLists } from './slot-lists.ts';
import { StreamIntake } from './stream-intake.ts';
import { ChainLog } from './tasks/chain-log.ts';
import { Inbox } from './tasks/inbox.ts';

/** Resolved options of the follower. */
export type FollowerSettings = Required<
  Pick<
    RpcSourceOptions,
    | 'endpoints'
    | 'anchor'
    | 'gaps'
    | 'finality'
    | 'fetcher'
    | 'comparison'
    | 'clock'
    | 'random'
    | 'stream'
  >
> &
  Pick<RpcSourceOptions, 'pool' | 'onNotice'> & { readonly tuning: RpcTuning };

/** Longest wait, so that stops and time-outs are noticed soon. */
const WAIT_MAX_MS = 250;
/** Pause between two checks whether all nodes have reported their chain. */
const CLUSTER_WAIT_MS = 20;
const CONFIRMED = { commitment: 'confirmed' } as const;
const FINALIZED = { commitment: 'finalized' } as const;

/**
 * Follows the tip of the chain through RPC nodes, a stream, or both: learns which blocks exist,
 * fetches them, and builds the log through `ChainLog`. All concurrent work delivers its results to
 * the inbox, and only this loop changes state.
 */
export class ChainFollower {
  private readonly settings: FollowerSettings;
  private readonly clock: Clock;
  private readonly pool: NodePool;
  private readonly log: ChainLog;
  private readonly fetches: BlockFetches;
  private readonly comparison: BlockComparison | null;
  private readonly lists: SlotLists;
  private readonly clusters: ClusterCheck;
  private readonly intake: StreamIntake | null;
  private readonly outage: OutageWatch;
  private readonly inbox: Inbox;
  private readonly questions: ChainRequests;
  private readonly ending = new AbortController();
  private readonly startMs: number;
  private finality: FinalityStrategy | null;
  private nextCheckMs = Number.NEGATIVE_INFINITY;

  constructor(settings: FollowerSettings) {
    this.settings = settings;
    const { clock, random, tuning, anchor, gaps, fetcher, onNotice } = settings;
    const { signal } = this.ending;
    const nowMs = () => clock.nowMs();
    this.clock = clock;
    this.startMs = clock.nowMs();
    const pool = settings.pool ?? createNodePool(settings);
    this.pool = pool;
    this.inbox = new Inbox(clock);
    this.outage = new OutageWatch({
      origin: () => this.origin,
      reasons: () => this.outageReasons,
      onNotice,
    });
    this.questions = new ChainRequests(pool, this.inbox, clock, signal);
    this.clusters = new ClusterCheck({ pool, clock, againMs: tuning.nodeCheckMs, onNotice });
    this.log = new ChainLog({
      anchor,
      gaps,
      origin: () => this.origin,
      judge: () => this.comparison,
    });
    const { log, inbox, questions } = this;
    this.comparison = comparisonOf(settings, { pool, log, inbox, signal });
    const { comparison } = this;
    const fetching = { fetcher, tuning, random, nowMs, signal };
    this.fetches = new BlockFetches({ pool, log, inbox, comparison, ...fetching });
    const { fetches } = this;
    this.lists = new SlotLists({ pool, log, fetches, questions, tuning, nowMs });
    const stream = settings.stream?.({ resumeSlot: () => log.headSlot, signal }) ?? null;
    const silenceMs = tuning.streamSilenceMs;
    const parts = { pool, log, fetches, inbox, nowMs, signal, silenceMs, onNotice };
    this.intake = stream === null ? null : new StreamIntake({ ...parts, stream });
    // Without a node there is no one to ask which finality the network uses.
    this.finality = settings.finality ?? (pool.all.length === 0 ? confirmedPlus() : null);
  }

  get status(): SourceStatus {
    const { log, pool, finality, intake } = this;
    return {
      headSlot: log.headSlot,
      finalSlot: log.finalSlot,
      tipSlot: this.tipSlot,
      finality: finality?.name ?? null,
      pendingBlocks: log.pendingBlocks,
      duplicates: log.duplicates,
      nodes: pool.status,
      comparison: this.comparison?.status ?? null,
      stream: intake?.status ?? null,
      outages: this.outage.outages,
      isOut: this.outage.isOut,
    };
  }

  /**
   * Items of the log until `close`, or until the log cannot continue; then the last item is a
   * problem that says why.
   */
  async *follow(): AsyncGenerator<SourceItem> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      this.inbox.deliver();
      const waitMs = this.plan(this.clock.nowMs());
      yield* this.log.takeItems();
      if (this.log.isStopped || this.isAbandoned) return;
      if (!signal.aborted) await this.inbox.wait(Math.min(waitMs, WAIT_MAX_MS));
    }
  }

  /** Ends all activity. */
  close(): void {
    this.ending.abort();
    this.inbox.wakeUp();
  }

  /**
   * Runs until the end: listens to nodes for hints, whose failures are ignored because polling
   * continues, asks nodes which chain they are on, and runs the caller's task.
   */
  async runInBackground(other?: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { tuning, clock, random } = this.settings;
    const { signal } = this.ending;
    const hints = new SlotHints(this.pool, {
      clock,
      random,
      silenceMs: tuning.hintSilenceMs,
      backoffMs: tuning.hintBackoffMs,
      backoffMaxMs: tuning.hintBackoffMaxMs,
      onSlot: () => this.hint(),
    });
    await Promise.all([hints.run(signal), this.clusters.run(signal), other?.(signal)]);
  }

  private get tipSlot(): Slot | null {
    const { pool, lists, log, intake } = this;
    const reported = [pool.tipSlot, lists.newestSlot, log.frontier, intake?.tipSlot ?? null];
    const known = reported.filter((slot) => slot !== null);
    return known.length === 0 ? null : asSlot(Math.max(...known));
  }

  private get origin(): string {
    const nodes = this.pool.all.map(({ label }) => label);
    return [...(this.intake === null ? [] : [this.intake.status.origin]), ...nodes].join(', ');
  }

  private get outageReasons(): readonly string[] {
    const nodes = this.pool.all.flatMap(({ label, lastFailure }) =>
      lastFailure === null ? [] : [`${label}: ${describeFailure(lastFailure)}`],
    );
    const end = this.intake?.status.lastEnd ?? null;
    return [...(end === null ? [] : [`${end}.`]), ...nodes];
  }

  /** Whether a node works or the stream delivers blocks. */
  private get isAnyThere(): boolean {
    const isWorking = this.pool.nodes.some(({ isCoolingDown }) => !isCoolingDown);
    return isWorking || this.intake?.status.isStreaming === true;
  }

  /** No more blocks can arrive: the stream is over and there are no nodes. */
  private get isAbandoned(): boolean {
    return this.intake?.isOver === true && this.pool.all.length === 0;
  }

  /** Starts everything that is due. Returns how long nothing else is, in milliseconds. */
  private plan(nowMs: number): number {
    this.outage.observe(this.isAnyThere, nowMs);
    if (!this.clusters.isDone) return CLUSTER_WAIT_MS;
    if (this.finality === null) return this.askFinality(nowMs);
    if (this.log.frontier === null && this.intake === null) return this.askStart();
    this.log.open(this.finality);
    this.intake?.begin();
    this.fetches.wantMissing(this.lists.isFruitless);
    this.fetches.dropExhausted();
    this.comparison?.start();
    const waits = [
      this.listNew(nowMs),
      this.lists.listHole(nowMs),
      this.checkNodes(nowMs),
      this.fetches.start(nowMs),
    ];
    return Math.max(0, Math.min(...waits));
  }

  /** Nodes are not polled while the stream delivers new blocks. */
  private listNew(nowMs: number): number {
    const quietMs = this.intake?.quietMs(nowMs) ?? 0;
    if (quietMs > 0) return quietMs;
    return this.log.frontier === null ? this.askStart() : this.lists.poll(nowMs);
  }

  /**
   * While towers vote, the certificates' genesis is null or the method is unknown. Any other answer
   * is no reason to wait for fewer slots.
   */
  private askFinality(nowMs: number): number {
    const isSilent = nowMs - this.startMs > this.settings.tuning.giveUpAfterMs;
    if (isSilent && this.intake !== null) {
      this.finality = confirmedPlus();
      return 0;
    }
    return this.questions.ask({
      name: 'finality',
      method: 'getAgGenesisCert',
      params: [],
      read: (result) => ({ isCertified: isGenesisCert(result) }),
      onResult: ({ isCertified }) => {
        this.finality = isCertified ? networkFinality() : confirmedPlus();
      },
      onRefusal: () => {
        this.finality = confirmedPlus();
      },
    });
  }

  /** Without stored data, the log begins at the newest slot that nodes report as final. */
  private askStart(): number {
    return this.questions.ask({
      name: 'start',
      method: 'getSlot',
      params: [FINALIZED],
      read: readSlot,
      onResult: (slot) => {
        this.log.frontier ??= asSlot(Math.max(0, slot - 1));
      },
    });
  }

  /** Asks each node for its newest slot, which also detects when a failed node works again. */
  private checkNodes(nowMs: number): number {
    if (this.nextCheckMs > nowMs) return this.nextCheckMs - nowMs;
    const { nodeCheckMs } = this.settings.tuning;
    this.nextCheckMs = nowMs + nodeCheckMs;
    const getSlot = { method: 'getSlot', read: readSlot };
    for (const node of this.pool.nodes) {
      this.questions.ask({
        ...getSlot,
        name: `tip ${node.label}`,
        params: [CONFIRMED],
        onResult: (slot) => this.pool.observeTip(node, slot, this.log.headSlot),
        node,
      });
    }
    if (this.finality?.needsNetworkFinality === true) {
      const onResult = (slot: Slot) => this.log.observeFinal(slot);
      this.questions.ask({ ...getSlot, name: 'final', params: [FINALIZED], onResult });
    }
    return nodeCheckMs;
  }

  private hint(): void {
    this.lists.hint();
    this.inbox.wakeUp();
  }
}

interface Shared {
  readonly pool: NodePool;
  readonly log: ChainLog;
  readonly inbox: Inbox;
  readonly signal: AbortSignal;
}

/** Null where blocks are not compared. */
function comparisonOf(
  { comparison, fetcher, clock, random, tuning, stream, onNotice }: FollowerSettings,
  { pool, log, inbox, signal }: Shared,
): BlockComparison | null {
  if (comparison === null || comparison.mode === 'off') return null;
  const { mode, reading } = comparison;
  const patienceMs = tuning.compareWithinMs;
  const hasStream = stream !== null;
  const context = { pool, fetcher, hasStream, clock, random, signal, onNotice };
  return new BlockComparison({ ...context, reading, mode, patienceMs }, log, inbox);
}

function readSlot(result: unknown): Slot | null {
  return isSlot(result) ? result : null;
}
