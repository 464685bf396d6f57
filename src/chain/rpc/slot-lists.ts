import { isSlot, type Slot } from '../../model/units.ts';
import type { BlockFetches } from './block-fetches.ts';
import type { NodePool } from './nodes/node-pool.ts';
import { PollPace } from './nodes/poll-pace.ts';
import type { RpcTuning } from './nodes/rpc-options.ts';
import type { ChainRequests } from './questions.ts';
import type { ChainLog } from './tasks/chain-log.ts';

export interface SlotListsOptions {
  readonly pool: NodePool;
  readonly log: ChainLog;
  readonly fetches: BlockFetches;
  readonly questions: ChainRequests;
  readonly tuning: RpcTuning;
  readonly nowMs: () => number;
}

/** Maximum slots per answer. */
const LIST_MAX = 200;
const CONFIRMED = { commitment: 'confirmed' } as const;

/** Queries nodes for slots with blocks: after the newest known one, and in holes. */
export class SlotLists {
  private readonly options: SlotListsOptions;
  private readonly pace: PollPace;
  private newestListed: Slot | null = null;
  private lastPollMs = Number.NEGATIVE_INFINITY;
  private nextPollMs = Number.NEGATIVE_INFINITY;
  private nextHoleMs = Number.NEGATIVE_INFINITY;
  private lastHintMs = Number.NEGATIVE_INFINITY;
  private holeLists = 0;
  /** Lists of the hole since the last one that named a block. */
  private fruitlessLists = 0;

  constructor(options: SlotListsOptions) {
    this.options = options;
    this.pace = new PollPace(options.tuning.poll);
  }

  get newestSlot(): Slot | null {
    return this.newestListed;
  }

  get isFruitless(): boolean {
    return this.fruitlessLists > this.options.pool.nodes.length;
  }

  /** Signals that there may be a new slot. */
  hint(): void {
    this.lastHintMs = this.options.nowMs();
    this.nextPollMs = Math.min(this.nextPollMs, this.lastHintMs);
  }

  /** Lists new slots when it is time. Returns how long until then, in milliseconds. */
  poll(nowMs: number): number {
    const { fetches, log, questions, tuning } = this.options;
    const dueMs = Math.max(this.nextPollMs, this.lastPollMs + tuning.poll.leastMs);
    if (dueMs > nowMs) return dueMs - nowMs;
    // There is enough to do; later slots are listed later.
    if (fetches.tasks.size >= tuning.concurrencyMax) return Number.POSITIVE_INFINITY;
    const waitMs = questions.ask({
      name: 'list',
      method: 'getBlocksWithLimit',
      params: [(log.frontier ?? 0) + 1, LIST_MAX, CONFIRMED],
      read: readSlots,
      onResult: (slots) => this.take(slots),
    });
    if (waitMs > 0) return waitMs;
    const isHinted = nowMs - this.lastHintMs < 2 * tuning.poll.mostMs;
    const intervalMs = isHinted ? tuning.poll.mostMs : this.pace.intervalMs;
    this.lastPollMs = nowMs;
    this.nextPollMs = nowMs + intervalMs;
    return intervalMs;
  }

  /**
   * When many slots lie between the log and the blocks that wait for it, these slots are listed
   * too: fetching from child to parent would take one round per slot. Nodes take turns, because one
   * may have pruned the blocks.
   */
  listHole(nowMs: number): number {
    const { fetches, log, pool, questions, tuning } = this.options;
    const { headSlot } = log;
    const wanted = log.wanted();
    const [lowest] = wanted;
    if (headSlot === null || lowest === undefined || !fetches.isLongHole(wanted)) {
      return Number.POSITIVE_INFINITY;
    }
    if (fetches.tasks.hasListedBefore(lowest.slot)) return Number.POSITIVE_INFINITY;
    if (this.nextHoleMs > nowMs) return this.nextHoleMs - nowMs;
    const { nodes } = pool;
    const node = nodes[this.holeLists % nodes.length];
    const last = Math.min(lowest.slot, headSlot + LIST_MAX);
    const waitMs = questions.ask({
      name: 'hole',
      method: 'getBlocks',
      params: [headSlot + 1, last, CONFIRMED],
      read: readSlots,
      onResult: (slots) => this.takeHole(slots),
      ...(node === undefined ? {} : { node }),
    });
    // A node that is not available now is skipped.
    this.holeLists++;
    this.fruitlessLists++;
    this.nextHoleMs = nowMs + tuning.poll.mostMs;
    return Math.max(waitMs, tuning.poll.mostMs);
  }

  private take(slots: readonly Slot[]): void {
    const { fetches, log, nowMs } = this.options;
    const sizeBefore = fetches.tasks.size;
    for (const slot of slots) {
      if (slot > (log.frontier ?? -1)) fetches.tasks.list(slot, nowMs());
    }
    this.newestListed = slots.at(-1) ?? this.newestListed;
    this.pace.observe(fetches.tasks.size - sizeBefore, nowMs());
  }

  private takeHole(slots: readonly Slot[]): void {
    const { fetches, nowMs } = this.options;
    if (slots.length > 0) this.fruitlessLists = 0;
    for (const slot of slots) fetches.tasks.list(slot, nowMs());
  }
}

function readSlots(result: unknown): readonly Slot[] | null {
  if (!Array.isArray(result) || result.length > LIST_MAX) return null;
  return result.every(isSlot) ? result : null;
}
