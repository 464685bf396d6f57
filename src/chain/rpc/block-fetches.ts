import type { ChainPoint } from '../block-link.ts';
import type { BlockComparison } from './comparison/block-comparison.ts';
import { type LateRequest, LateSlots } from './late-slots.ts';
import type { BlockFetcher } from './nodes/block-fetcher.ts';
import { type BlockFetch, fetchBlock } from './nodes/fetch-block.ts';
import type { NodePool } from './nodes/node-pool.ts';
import type { RpcFailure } from './nodes/rpc-failure.ts';
import type { RpcNode } from './nodes/rpc-node.ts';
import type { RpcTuning } from './nodes/rpc-options.ts';
import type { ChainLog } from './tasks/chain-log.ts';
import type { Inbox } from './tasks/inbox.ts';
import { hasPruned, type SlotTask, SlotTasks } from './tasks/slot-tasks.ts';

export interface BlockFetchesOptions {
  readonly pool: NodePool;
  readonly log: ChainLog;
  readonly inbox: Inbox;
  readonly fetcher: BlockFetcher | null;
  /** Null where blocks are not compared. */
  readonly comparison: BlockComparison | null;
  readonly tuning: RpcTuning;
  readonly random: () => number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/** Longest wait before the plan is made again. */
const WAIT_MAX_MS = 250;
/**
 * Fetches of listed blocks that are always allowed: the block that others wait for may be among
 * them.
 */
const AHEAD_MIN = 4;
/** A hole of fewer slots than this is filled from child to parent. */
const HOLE_SLOTS_MIN = 4;
/** Bound on hedged requests, sent because the first node is slow to answer. */
const HEDGES_MAX = 4;
/** With more slots to fetch than this, requests for slots reported missing wait. */
const LATE_TASKS_MAX = 8;

/**
 * Fetches blocks from any node until they are in the log or every node has failed to supply them.
 */
export class BlockFetches {
  readonly tasks: SlotTasks;
  private readonly options: BlockFetchesOptions;
  private readonly lateSlots: LateSlots;
  private fetching = 0;
  private hedging = 0;

  constructor(options: BlockFetchesOptions) {
    const { pool, random, tuning } = options;
    this.options = options;
    this.tasks = new SlotTasks({ random, ...tuning });
    this.lateSlots = new LateSlots(pool, tuning.gapRetryMs);
  }

  /** Starts every fetch that may begin. Returns how long no other can, in milliseconds. */
  start(nowMs: number): number {
    this.fetchLate(nowMs);
    this.hedge(nowMs);
    const { pool, log, tuning, comparison } = this.options;
    // The longer the list, the more concurrent requests: two when all is well.
    const concurrency = Math.min(tuning.concurrencyMax, 2 + Math.floor(this.tasks.size / 4));
    const aheadMax = Math.max(AHEAD_MIN, tuning.blocksAheadMax - log.pendingBlocks);
    let waitMs = Math.max(1, this.tasks.nextDueMs(nowMs) - nowMs);
    for (const task of this.tasks.due(nowMs)) {
      if (this.fetching >= concurrency) return Number.POSITIVE_INFINITY;
      const isAhead = this.fetching >= aheadMax || comparison?.isFull === true;
      if (task.wantedHash === null && isAhead) continue;
      const pruned = pool.nodes.filter((node) => hasPruned(node, task));
      const choice = pool.choose(nowMs, new Set([...task.asked, ...pruned]));
      if (choice.kind === 'node') this.fetch(task, choice.node);
      else {
        // The untried nodes are unavailable for long: start a new round with the others.
        if (choice.ms > WAIT_MAX_MS) task.asked.clear();
        waitMs = Math.min(waitMs, Math.max(1, choice.ms));
      }
    }
    return waitMs;
  }

  /** Reports slots that are no longer worth requesting as missing. */
  dropExhausted(): void {
    const { pool, log, nowMs } = this.options;
    const exhausted = this.tasks.abandon(pool.nodes, nowMs());
    if (exhausted.length === 0) return;
    for (const task of exhausted) log.abandon(task);
    this.wantMissing(false);
  }

  /**
   * Requests the blocks that the log misses. While lists return new slots, a long hole is filled
   * from below, where blocks need not wait for a parent.
   */
  wantMissing(areListsFruitless: boolean): void {
    const { log, nowMs, tuning } = this.options;
    const wanted = log.wanted();
    const isFull = log.pendingBlocks >= tuning.blocksAheadMax;
    const waits = isFull && this.isLongHole(wanted) && !areListsFruitless;
    this.tasks.want(waits ? [] : wanted, nowMs());
  }

  /** Whether many slots lie between the log and the lowest missing block. */
  isLongHole([lowest]: readonly ChainPoint[]): boolean {
    const { headSlot } = this.options.log;
    return headSlot !== null && lowest !== undefined && lowest.slot - headSlot > HOLE_SLOTS_MIN;
  }

  /** When a node is slow to answer, a second one is queried, and the first answer counts. */
  private hedge(nowMs: number): void {
    const { pool, tuning } = this.options;
    for (const task of this.tasks.overdue(nowMs, tuning.hedgeAfterMs)) {
      if (this.hedging >= HEDGES_MAX) return;
      const excluded = pool.nodes.filter(
        (node) => node === task.node || hasPruned(node, task) || node.isCoolingDown,
      );
      const choice = pool.choose(nowMs, new Set([...task.asked, ...excluded]));
      if (choice.kind === 'wait') continue;
      this.hedging++;
      this.fetch(task, choice.node, () => this.hedging--);
    }
  }

  private fetch(task: SlotTask, node: RpcNode, onEnd?: () => void): void {
    const { fetcher, inbox, nowMs, signal } = this.options;
    this.fetching++;
    task.running++;
    task.startedMs = nowMs();
    task.node = node;
    task.tries++;
    const fetched = fetchBlock(node, task.slot, fetcher, signal).finally(onEnd);
    inbox.expect(fetched.then((fetch) => () => this.take(task, node, fetch)));
  }

  private take(task: SlotTask, node: RpcNode, fetch: BlockFetch): void {
    const { log, nowMs, pool } = this.options;
    this.fetching--;
    task.running--;
    if (!this.tasks.has(task)) return;
    const failure = fetch.status === 'failed' ? fetch.failure : log.accept(fetch.block, node);
    if (failure !== null) {
      this.tasks.fail(task, node, failure, pool.nodes, nowMs());
      this.reportProblem(task, node, failure);
    } else if (fetch.status === 'ok') {
      this.tasks.succeed(task, node, fetch.block.blockhash, pool.nodes, nowMs());
    }
  }

  /** Reports each problem of a slot once per node. */
  private reportProblem(task: SlotTask, { label }: RpcNode, failure: RpcFailure): void {
    const key = `${label} ${failure.name}`;
    if (failure.problem === null || task.reported.has(key)) return;
    task.reported.add(key);
    const message = `${failure.message} (${failure.name})`;
    this.options.log.report(failure.problem, label, `slot ${task.slot}`, message);
  }

  /** Requests slots that were reported missing again when little else is waiting. */
  private fetchLate(nowMs: number): void {
    const { log, fetcher, inbox, signal } = this.options;
    if (this.tasks.size > LATE_TASKS_MAX) return;
    const request = this.lateSlots.begin(log.wantedLate(), nowMs);
    if (request === null) return;
    const fetched = fetchBlock(request.node, request.point.slot, fetcher, signal);
    inbox.expect(fetched.then((fetch) => () => this.takeLate(request, fetch)));
  }

  /** A late block is final on arrival, so it is compared before it is accepted. */
  private takeLate({ point, node }: LateRequest, fetch: BlockFetch): void {
    const { comparison, inbox, log } = this.options;
    const isExpected = fetch.status === 'ok' && fetch.block.blockhash === point.blockhash;
    if (!isExpected) {
      this.lateSlots.end(false);
      return;
    }
    const confirmed = comparison?.confirm(fetch.block, node) ?? Promise.resolve(fetch.block);
    inbox.expect(
      confirmed.then((block) => () => {
        if (block !== null) log.acceptVerified(block);
        this.lateSlots.end(block !== null);
      }),
    );
  }
}
