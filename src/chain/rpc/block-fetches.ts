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
import { hasForgotten, type SlotTask, SlotTasks } from './tasks/slot-tasks.ts';

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

/** Beyond it a wait is looked at again. */
const WAIT_MAX_MS = 250;
/** Fetches of listed blocks that go on however many wait: what they wait for may be among them. */
const AHEAD_MIN = 4;
/** A hole of fewer slots is filled from child to parent. */
const HOLE_SLOTS_MIN = 4;
/** Requests that go out a second time because the first is silent. */
const HEDGES_MAX = 4;
/** With more slots to fetch than this, those that were named missing wait. */
const LATE_TASKS_MAX = 8;

/** Fetches blocks from whoever has them, until they stand in the log or nobody is left to ask. */
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

  /** Starts whatever may begin. Returns how long nothing further can. */
  start(nowMs: number): number {
    this.askForLate(nowMs);
    this.hedge(nowMs);
    const { pool, log, tuning, comparison } = this.options;
    // The longer the list, the more at once: two when all is well.
    const concurrency = Math.min(tuning.concurrencyMax, 2 + Math.floor(this.tasks.size / 4));
    const aheadMax = Math.max(AHEAD_MIN, tuning.blocksAheadMax - log.pendingBlocks);
    let waitMs = Math.max(1, this.tasks.nextDueMs(nowMs) - nowMs);
    for (const task of this.tasks.due(nowMs)) {
      if (this.fetching >= concurrency) return Number.POSITIVE_INFINITY;
      const isAhead = this.fetching >= aheadMax || comparison?.isFull === true;
      if (task.wantedHash === null && isAhead) continue;
      const forgetful = pool.nodes.filter((node) => hasForgotten(node, task));
      const choice = pool.choose(nowMs, new Set([...task.asked, ...forgetful]));
      if (choice.kind === 'node') this.fetch(task, choice.node);
      else {
        // Those not asked yet are out of reach for long: begin again with the others.
        if (choice.ms > WAIT_MAX_MS) task.asked.clear();
        waitMs = Math.min(waitMs, Math.max(1, choice.ms));
      }
    }
    return waitMs;
  }

  /** Names what there is no use in asking for any longer. */
  dropExhausted(): void {
    const { pool, log, nowMs } = this.options;
    const given = this.tasks.giveUp(pool.nodes, nowMs());
    if (given.length === 0) return;
    for (const one of given) log.giveUp(one);
    this.wantMissing(false);
  }

  /**
   * Asks for what the log misses. A long hole is filled from below, where blocks need not wait, while
   * lists bring any.
   */
  wantMissing(areListsFruitless: boolean): void {
    const { log, nowMs, tuning } = this.options;
    const wanted = log.wanted();
    const isFull = log.pendingBlocks >= tuning.blocksAheadMax;
    const waits = isFull && this.isLongHole(wanted) && !areListsFruitless;
    this.tasks.want(waits ? [] : wanted, nowMs());
  }

  /** Whether many slots lie between the log and the lowest block that is missed. */
  isLongHole([lowest]: readonly ChainPoint[]): boolean {
    const { headSlot } = this.options.log;
    return headSlot !== null && lowest !== undefined && lowest.slot - headSlot > HOLE_SLOTS_MIN;
  }

  /** A node that is silent keeps nobody waiting: a second one is asked, and the first answer counts. */
  private hedge(nowMs: number): void {
    const { pool, tuning } = this.options;
    for (const task of this.tasks.overdue(nowMs, tuning.hedgeAfterMs)) {
      if (this.hedging >= HEDGES_MAX) return;
      const useless = pool.nodes.filter(
        (node) => node === task.node || hasForgotten(node, task) || node.isLeftAlone,
      );
      const choice = pool.choose(nowMs, new Set([...task.asked, ...useless]));
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

  /** Each problem of a slot with a node is told once, however often it is asked. */
  private reportProblem(task: SlotTask, { label }: RpcNode, failure: RpcFailure): void {
    const telling = `${label} ${failure.name}`;
    if (failure.problem === null || task.told.has(telling)) return;
    task.told.add(telling);
    const message = `${failure.message} (${failure.name})`;
    this.options.log.tell(failure.problem, label, `slot ${task.slot}`, message);
  }

  /** What was named missing is asked for again when little else waits. */
  private askForLate(nowMs: number): void {
    const { log, fetcher, inbox, signal } = this.options;
    if (this.tasks.size > LATE_TASKS_MAX) return;
    const request = this.lateSlots.begin(log.wantedLate(), nowMs);
    if (request === null) return;
    const fetched = fetchBlock(request.node, request.point.slot, fetcher, signal);
    inbox.expect(fetched.then((fetch) => () => this.takeLate(request, fetch)));
  }

  /** What is final when it comes is compared before it is believed. */
  private takeLate({ point, node }: LateRequest, fetch: BlockFetch): void {
    const { comparison, inbox, log } = this.options;
    const isRight = fetch.status === 'ok' && fetch.block.blockhash === point.blockhash;
    if (!isRight) {
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
