import type { Clock } from '../../lib/clock.ts';
import type { SourceProblemCode } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { ChainPoint } from '../block-link.ts';
import { Continuity, type LogStep } from '../continuity.ts';
import { confirmedPlus, type FinalityStrategy, networkFinality } from '../finality.ts';
import type { SourceItem } from '../source.ts';
import { type BlockFetch, type FetchedBlock, fetchBlock } from './fetch-block.ts';
import { Inbox } from './inbox.ts';
import { type LateRequest, LateSlots } from './late-slots.ts';
import { NodePool } from './node-pool.ts';
import { PollPace } from './poll-pace.ts';
import { Questions } from './questions.ts';
import { type RpcFailure, unfitBlock } from './rpc-failure.ts';
import { RpcNode, type RpcNodeStatus } from './rpc-node.ts';
import type { RpcSourceOptions, RpcTuning } from './rpc-options.ts';
import { SlotHints } from './slot-hints.ts';
import { hasForgotten, type SlotTask, SlotTasks } from './slot-tasks.ts';

export interface FollowerStatus {
  readonly headSlot: Slot | null;
  readonly finalSlot: Slot | null;
  /** Newest confirmed slot that any node told of. */
  readonly tipSlot: Slot | null;
  /** Null until the nodes were asked. */
  readonly finality: string | null;
  /** Blocks that wait for one before them. */
  readonly heldBlocks: number;
  /** Blocks that came again or too late to count. */
  readonly duplicates: number;
  readonly nodes: readonly RpcNodeStatus[];
}

/** What the follower runs with. */
export type FollowerSettings = Required<
  Pick<
    RpcSourceOptions,
    'endpoints' | 'anchor' | 'gaps' | 'finality' | 'decoder' | 'clock' | 'random'
  >
> & { readonly tuning: RpcTuning };

/** Slots listed by one answer. */
const LIST_MAX = 200;
/** Beyond it a stop or a time-out would be noticed late. */
const WAIT_MAX_MS = 250;
/** Fetches of listed blocks that go on however many wait: what they wait for may be among them. */
const AHEAD_MIN = 4;
/** A hole of fewer slots is filled from child to parent. */
const HOLE_SLOTS_MIN = 4;
/** With more slots to fetch than this, those that were named missing wait. */
const LATE_TASKS_MAX = 8;
const CONFIRMED = { commitment: 'confirmed' } as const;
const FINALIZED = { commitment: 'finalized' } as const;

/**
 * Follows the chain's end through RPC nodes: lists new slots, fetches their blocks from whoever has
 * them, and lets `Continuity` make a log of what comes. Everything that goes on beside it ends in the
 * inbox, and only this loop changes anything.
 */
export class ChainFollower {
  private readonly settings: FollowerSettings;
  private readonly clock: Clock;
  private readonly pool: NodePool;
  private readonly tasks: SlotTasks;
  private readonly lateSlots: LateSlots;
  private readonly pace: PollPace;
  private readonly inbox: Inbox;
  private readonly questions: Questions;
  private readonly ending = new AbortController();
  private finality: FinalityStrategy | null;
  private chain: Continuity<FetchedBlock> | null = null;
  /** Newest slot of which a block came: what lies after it is listed again. */
  private frontier: Slot | null;
  private listedSlot: Slot | null = null;
  /** What is to be told next. */
  private readonly items: SourceItem[] = [];
  private lastPollMs = Number.NEGATIVE_INFINITY;
  private nextPollMs = Number.NEGATIVE_INFINITY;
  private nextCheckMs = Number.NEGATIVE_INFINITY;
  private nextHoleMs = Number.NEGATIVE_INFINITY;
  private holeLists = 0;
  /** Lists of the hole since one named a block. */
  private fruitlessLists = 0;
  private lastHintMs = Number.NEGATIVE_INFINITY;
  private fetching = 0;
  private duplicateCount = 0;

  constructor(settings: FollowerSettings) {
    this.settings = settings;
    const { clock, random, tuning, endpoints } = settings;
    this.clock = clock;
    const nodes = endpoints.map((endpoint) => new RpcNode(endpoint, { clock, random, ...tuning }));
    this.pool = new NodePool(nodes, tuning.behindSlotsMax);
    this.tasks = new SlotTasks({ random, ...tuning });
    this.lateSlots = new LateSlots(this.pool, tuning.gapRetryMs);
    this.pace = new PollPace(tuning.poll);
    this.inbox = new Inbox(clock);
    this.questions = new Questions(this.pool, this.inbox, clock, this.ending.signal);
    this.finality = settings.finality;
    this.frontier = settings.anchor?.slot ?? null;
  }

  get status(): FollowerStatus {
    return {
      headSlot: this.chain?.head?.slot ?? null,
      finalSlot: this.chain?.finalSlot ?? null,
      tipSlot: this.tipSlot,
      finality: this.finality?.name ?? null,
      heldBlocks: this.chain?.heldBlocks ?? 0,
      duplicates: this.duplicateCount,
      nodes: this.pool.nodes.map(({ status }) => status),
    };
  }

  private get tipSlot(): Slot | null {
    const told = [this.pool.tipSlot, this.listedSlot, this.frontier].filter(
      (slot) => slot !== null,
    );
    return told.length === 0 ? null : (Math.max(...told) as Slot);
  }

  /** Steps of the log until `close`, or until the log cannot go on, which the last problem says. */
  async *follow(): AsyncGenerator<SourceItem> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      this.inbox.deliver();
      this.giveUpHopeless();
      yield* this.items.splice(0);
      if (this.chain !== null && this.chain.stopReason !== null) return;
      const waitMs = this.plan(this.clock.nowMs());
      if (!signal.aborted) await this.inbox.wait(Math.min(waitMs, WAIT_MAX_MS));
    }
  }

  /** Ends all that goes on. */
  close(): void {
    this.ending.abort();
    this.inbox.rouse();
  }

  /** Listens to the preferred node until the end. Its failures are no news: polling goes on. */
  async listen(): Promise<void> {
    const { tuning, clock, random } = this.settings;
    const [preferred] = this.pool.nodes;
    if (preferred === undefined) return;
    const hints = new SlotHints(preferred.endpoint, {
      clock,
      random,
      silenceMs: tuning.hintSilenceMs,
      backoffMs: tuning.hintBackoffMs,
      backoffMaxMs: tuning.hintBackoffMaxMs,
      onSlot: () => this.hint(),
    });
    await hints.run(this.ending.signal);
  }

  private hint(): void {
    this.lastHintMs = this.clock.nowMs();
    this.nextPollMs = Math.min(this.nextPollMs, this.lastHintMs);
    this.inbox.rouse();
  }

  private takeBlock(task: SlotTask, node: RpcNode, fetch: BlockFetch): void {
    this.fetching--;
    task.isRunning = false;
    const failure = fetch.status === 'failed' ? fetch.failure : this.acceptBlock(fetch.block);
    const nowMs = this.clock.nowMs();
    const { nodes } = this.pool;
    if (failure !== null) {
      this.tasks.fail(task, node, failure, nodes, nowMs);
      this.tellProblem(task, node, failure);
    } else if (fetch.status === 'ok') {
      this.tasks.succeed(task, node, fetch.block.blockhash, nodes, nowMs);
    }
    this.wantMissing(nowMs);
  }

  /** Each problem of a slot with a node is told once, however often it is asked. */
  private tellProblem(task: SlotTask, { label }: RpcNode, failure: RpcFailure): void {
    const telling = `${label} ${failure.name}`;
    if (failure.problem === null || task.told.has(telling)) return;
    task.told.add(telling);
    const message = `${failure.message} (${failure.name})`;
    this.tell(failure.problem, label, `slot ${task.slot}`, message);
  }

  private tell(
    code: SourceProblemCode,
    origin: string,
    position: string | null,
    message: string,
  ): void {
    this.items.push({ kind: 'problem', problem: { code, origin, position, message } });
  }

  /** Null, or why the block cannot be taken. */
  private acceptBlock(block: FetchedBlock): RpcFailure | null {
    if (this.chain === null) return null;
    const { verdict, steps } = this.chain.accept(block);
    this.log(steps);
    if (verdict === 'refused') {
      return unfitBlock('the block comes before its own parent', 'bad-transaction');
    }
    if (verdict === 'known' || verdict === 'late') this.duplicateCount++;
    if (verdict !== 'no-room' && block.slot > (this.frontier ?? -1)) this.frontier = block.slot;
    return null;
  }

  private giveUpHopeless(): void {
    const nowMs = this.clock.nowMs();
    const given = this.tasks.giveUp(this.pool.nodes, nowMs);
    if (given.length === 0 || this.chain === null) return;
    for (const { point, reason } of given) this.log(this.chain.giveUp(point, reason));
    this.wantMissing(nowMs);
  }

  /** Whether many slots lie between the log and the lowest block that is missed. */
  private isLongHole([lowest]: readonly ChainPoint[]): boolean {
    const head = this.chain?.head ?? null;
    return head !== null && lowest !== undefined && lowest.slot - head.slot > HOLE_SLOTS_MIN;
  }

  private log(steps: readonly LogStep<FetchedBlock>[]): void {
    this.items.push(...steps.map(itemOf));
    const reason = this.chain?.stopReason ?? null;
    if (reason === null) return;
    const nodes = this.pool.nodes.map(({ label }) => label).join(', ');
    this.tell('deep-fork', nodes, null, reason);
  }

  private wantMissing(nowMs: number): void {
    const wanted = this.chain?.wanted() ?? [];
    const { blocksAheadMax } = this.settings.tuning;
    const isFull = (this.chain?.heldBlocks ?? 0) >= blocksAheadMax;
    // A long hole is filled from below, where blocks need not wait, while lists bring any.
    const waits =
      isFull && this.isLongHole(wanted) && this.fruitlessLists <= this.pool.nodes.length;
    this.tasks.want(waits ? [] : wanted, nowMs);
  }

  /** Starts whatever is due. Returns how long nothing else will be. */
  private plan(nowMs: number): number {
    if (this.finality === null) return this.askFinality();
    if (this.frontier === null) return this.askStart();
    const { anchor, gaps } = this.settings;
    this.chain ??= new Continuity({ anchor, gaps, finality: this.finality });
    this.askForLate(this.chain, nowMs);
    const waits = [
      this.poll(nowMs),
      this.listHole(nowMs),
      this.checkNodes(nowMs),
      this.startFetches(nowMs),
    ];
    return Math.max(0, Math.min(...waits));
  }

  /** The certificates' genesis is null, or the method unknown, while towers vote. */
  private askFinality(): number {
    return this.questions.ask({
      name: 'finality',
      method: 'getAgGenesisCert',
      params: [],
      read: (result) => ({ isCertified: result !== null }),
      onResult: ({ isCertified }) => {
        this.finality = isCertified ? networkFinality() : confirmedPlus();
      },
      onRefusal: () => {
        this.finality = confirmedPlus();
      },
    });
  }

  /** Where nothing is stored, the log begins at the newest slot that cannot be taken back. */
  private askStart(): number {
    return this.questions.ask({
      name: 'start',
      method: 'getSlot',
      params: [FINALIZED],
      read: readSlot,
      onResult: (slot) => {
        this.frontier = Math.max(0, slot - 1) as Slot;
      },
    });
  }

  private poll(nowMs: number): number {
    const { poll, concurrencyMax } = this.settings.tuning;
    const dueMs = Math.max(this.nextPollMs, this.lastPollMs + poll.leastMs);
    if (dueMs > nowMs) return dueMs - nowMs;
    // There is enough to do; what comes after it is listed later.
    if (this.tasks.size >= concurrencyMax) return Number.POSITIVE_INFINITY;
    const waitMs = this.questions.ask({
      name: 'list',
      method: 'getBlocksWithLimit',
      params: [(this.frontier ?? 0) + 1, LIST_MAX, CONFIRMED],
      read: readSlots,
      onResult: (slots) => this.takeList(slots),
    });
    if (waitMs > 0) return waitMs;
    const isHinted = nowMs - this.lastHintMs < 2 * poll.mostMs;
    const intervalMs = isHinted ? poll.mostMs : this.pace.intervalMs;
    this.lastPollMs = nowMs;
    this.nextPollMs = nowMs + intervalMs;
    return intervalMs;
  }

  private takeList(slots: readonly Slot[]): void {
    const nowMs = this.clock.nowMs();
    const sizeBefore = this.tasks.size;
    for (const slot of slots) if (slot > (this.frontier ?? -1)) this.tasks.list(slot, nowMs);
    this.listedSlot = slots.at(-1) ?? this.listedSlot;
    this.pace.observe(this.tasks.size - sizeBefore, nowMs);
  }

  /**
   * When many slots lie between the log and what waits for it, their blocks are listed too: one by
   * one, from child to parent, would take as many rounds. Nodes take turns, since one may have
   * forgotten them.
   */
  private listHole(nowMs: number): number {
    const head = this.chain?.head ?? null;
    const wanted = this.chain?.wanted() ?? [];
    const [lowest] = wanted;
    if (head === null || lowest === undefined || !this.isLongHole(wanted)) {
      return Number.POSITIVE_INFINITY;
    }
    if (this.tasks.hasListedBefore(lowest.slot)) return Number.POSITIVE_INFINITY;
    if (this.nextHoleMs > nowMs) return this.nextHoleMs - nowMs;
    const { nodes } = this.pool;
    const node = nodes[this.holeLists % nodes.length];
    const last = Math.min(lowest.slot, head.slot + LIST_MAX);
    const waitMs = this.questions.ask({
      name: 'hole',
      method: 'getBlocks',
      params: [head.slot + 1, last, CONFIRMED],
      read: readSlots,
      onResult: (slots) => {
        if (slots.length > 0) this.fruitlessLists = 0;
        for (const slot of slots) this.tasks.list(slot, this.clock.nowMs());
      },
      ...(node === undefined ? {} : { node }),
    });
    // A node that cannot be asked now is passed over.
    this.holeLists++;
    this.fruitlessLists++;
    this.nextHoleMs = nowMs + this.settings.tuning.poll.mostMs;
    return Math.max(waitMs, this.settings.tuning.poll.mostMs);
  }

  /** How far each node is; also how one that was left alone is found to work again. */
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
        onResult: (slot) => this.pool.observeTip(node, slot, this.chain?.head?.slot ?? null),
        node,
      });
    }
    if (this.finality?.asksNetwork === true) {
      const onResult = (slot: Slot) => this.log(this.chain?.observeFinal(slot) ?? []);
      this.questions.ask({ ...getSlot, name: 'final', params: [FINALIZED], onResult });
    }
    return nodeCheckMs;
  }

  /** Returns how long no further fetch can begin. */
  private startFetches(nowMs: number): number {
    const { concurrencyMax, blocksAheadMax } = this.settings.tuning;
    // The longer the list, the more at once: two when all is well.
    const concurrency = Math.min(concurrencyMax, 2 + Math.floor(this.tasks.size / 4));
    const aheadMax = Math.max(AHEAD_MIN, blocksAheadMax - (this.chain?.heldBlocks ?? 0));
    let waitMs = Math.max(1, this.tasks.nextDueMs(nowMs) - nowMs);
    for (const task of this.tasks.due(nowMs)) {
      if (this.fetching >= concurrency) return Number.POSITIVE_INFINITY;
      if (task.wantedHash === null && this.fetching >= aheadMax) continue;
      const forgetful = this.pool.nodes.filter((node) => hasForgotten(node, task));
      const choice = this.pool.choose(nowMs, new Set([...task.asked, ...forgetful]));
      if (choice.kind === 'node') this.startFetch(task, choice.node);
      else {
        // Those not asked yet are out of reach for long: begin again with the others.
        if (choice.ms > WAIT_MAX_MS) task.asked.clear();
        waitMs = Math.min(waitMs, Math.max(1, choice.ms));
      }
    }
    return waitMs;
  }

  /** What was named missing is asked for again when little else waits. */
  private askForLate(chain: Continuity<FetchedBlock>, nowMs: number): void {
    if (this.tasks.size > LATE_TASKS_MAX) return;
    const request = this.lateSlots.begin(chain.wantedLate(), nowMs);
    if (request === null) return;
    const { slot } = request.point;
    const fetched = fetchBlock(request.node, slot, this.settings.decoder, this.ending.signal);
    this.inbox.expect(fetched.then((fetch) => () => this.takeLate(request, fetch)));
  }

  private takeLate({ point }: LateRequest, fetch: BlockFetch): void {
    const isRight = fetch.status === 'ok' && fetch.block.blockhash === point.blockhash;
    if (isRight) this.acceptBlock(fetch.block);
    this.lateSlots.end(isRight);
  }

  private startFetch(task: SlotTask, node: RpcNode): void {
    this.fetching++;
    task.isRunning = true;
    task.tries++;
    const { decoder } = this.settings;
    const fetched = fetchBlock(node, task.slot, decoder, this.ending.signal);
    this.inbox.expect(fetched.then((fetch) => () => this.takeBlock(task, node, fetch)));
  }
}

function itemOf(step: LogStep<FetchedBlock>): SourceItem {
  return step.kind === 'block' ? step.block.item : step;
}

function readSlot(result: unknown): Slot | null {
  return isSlot(result) ? result : null;
}

function readSlots(result: unknown): readonly Slot[] | null {
  if (!Array.isArray(result) || result.length > LIST_MAX) return null;
  return result.every(isSlot) ? result : null;
}

function isSlot(value: unknown): value is Slot {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
