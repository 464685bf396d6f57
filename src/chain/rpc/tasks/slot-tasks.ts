import type { Slot } from '../../../model/units.ts';
import { type ChainPoint, keyOf } from '../../block-link.ts';
import type { RpcFailure } from '../nodes/rpc-failure.ts';
import type { RpcNode } from '../nodes/rpc-node.ts';

export interface SlotTaskOptions {
  readonly random: () => number;
  /** Pause between rounds in which every node was tried: a random share of a bound that doubles. */
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /**
   * A needed block is dropped when every working node has answered without it and this long has
   * passed.
   */
  readonly giveUpAfterMs: number;
  /** The same where nodes do not answer at all. */
  readonly outageGiveUpAfterMs: number;
}

/** A slot whose block is to be fetched. */
export interface SlotTask {
  readonly slot: Slot;
  readonly sinceMs: number;
  /**
   * Hash of the block that another one names as its parent; null for a slot that was only listed.
   */
  wantedHash: string | null;
  /** Requests in flight. */
  running: number;
  /** When the newest of them began, and at which node. */
  startedMs: number;
  node: RpcNode | null;
  notBeforeMs: number;
  tries: number;
  rounds: number;
  /** Nodes tried in this round. */
  readonly asked: Set<RpcNode>;
  /** Each node's latest answer about the slot. */
  readonly answers: Map<RpcNode, RpcFailure>;
  /** Problems already reported, so that each is reported once. */
  readonly reported: Set<string>;
}

/** A dropped block; its descendants follow a gap. */
export interface AbandonedBlock {
  readonly point: ChainPoint;
  readonly reason: string;
}

/** The slots to fetch, which node to use next, and when to stop. */
export class SlotTasks {
  private readonly options: SlotTaskOptions;
  private readonly bySlot = new Map<Slot, SlotTask>();

  constructor(options: SlotTaskOptions) {
    this.options = options;
  }

  get size(): number {
    return this.bySlot.size;
  }

  /** Adds a slot that a node lists as having a block. */
  list(slot: Slot, nowMs: number): void {
    if (!this.bySlot.has(slot)) this.bySlot.set(slot, newTask(slot, nowMs, null));
  }

  /** Sets which blocks are missing; drops tasks for others. */
  want(points: readonly ChainPoint[], nowMs: number): void {
    const wanted = new Set(points.map(keyOf));
    for (const [slot, { wantedHash }] of this.bySlot) {
      if (wantedHash === null || wanted.has(keyOf({ slot, blockhash: wantedHash }))) continue;
      this.bySlot.delete(slot);
    }
    for (const { slot, blockhash } of points) {
      const task = this.bySlot.get(slot);
      if (task === undefined) this.bySlot.set(slot, newTask(slot, nowMs, blockhash));
      else task.wantedHash ??= blockhash;
    }
  }

  /** The block arrived from another source. */
  settle({ slot, blockhash }: ChainPoint): void {
    const task = this.bySlot.get(slot);
    const isIt = task !== undefined && (task.wantedHash ?? blockhash) === blockhash;
    if (isIt && task.running === 0) this.bySlot.delete(slot);
  }

  /** Whether a listed slot before this one is still to be fetched. */
  hasListedBefore(slot: Slot): boolean {
    for (const task of this.bySlot.values()) {
      if (task.wantedHash === null && task.slot < slot) return true;
    }
    return false;
  }

  /** Tasks that may run now, wanted ones first, then by slot. */
  due(nowMs: number): SlotTask[] {
    const due = [...this.bySlot.values()].filter(
      ({ running, notBeforeMs }) => running === 0 && notBeforeMs <= nowMs,
    );
    const rank = ({ wantedHash }: SlotTask) => (wantedHash === null ? 1 : 0);
    return due.sort((one, other) => rank(one) - rank(other) || one.slot - other.slot);
  }

  /** Tasks whose only request has been in flight for that long, lowest slot first. */
  overdue(nowMs: number, afterMs: number): SlotTask[] {
    return [...this.bySlot.values()]
      .filter(({ running, startedMs }) => running === 1 && nowMs - startedMs >= afterMs)
      .sort((one, other) => one.slot - other.slot);
  }

  /** False once the task is done, even if requests are still in flight. */
  has(task: SlotTask): boolean {
    return this.bySlot.get(task.slot) === task;
  }

  /** When the next pending task becomes due, infinite for none. */
  nextDueMs(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { running, notBeforeMs } of this.bySlot.values()) {
      if (running === 0 && notBeforeMs > nowMs) nextMs = Math.min(nextMs, notBeforeMs);
    }
    return nextMs;
  }

  /** A block arrived. The task is done, unless another block was wanted. */
  succeed(task: SlotTask, node: RpcNode, blockhash: string, nodes: Nodes, nowMs: number): void {
    if (task.wantedHash === null || task.wantedHash === blockhash) {
      this.bySlot.delete(task.slot);
      return;
    }
    this.fail(task, node, OTHER_BLOCK, nodes, nowMs);
  }

  fail(task: SlotTask, node: RpcNode, failure: RpcFailure, nodes: Nodes, nowMs: number): void {
    const isAboutSlot = failure.harm === 'none' && failure.name !== 'stopped';
    if (isAboutSlot) task.answers.set(node, failure);
    if (failure.action === 'pruned') {
      node.prunedUpTo = Math.max(node.prunedUpTo, task.slot);
    }
    task.asked.add(node);
    const others = nodes.filter(
      (other) => !(other.isCoolingDown || task.asked.has(other) || hasPruned(other, task)),
    );
    if (others.length > 0) return;
    const { retryBaseMs, retryMaxMs, random } = this.options;
    const boundMs = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(task.rounds, 20));
    task.rounds++;
    task.asked.clear();
    task.notBeforeMs = nowMs + boundMs * (0.5 + random() / 2);
  }

  /**
   * Removes tasks that are no longer worth retrying; returns the missing blocks among them. A slot
   * waits for lower ones, so no gap names a block that is still being fetched.
   */
  abandon(nodes: Nodes, nowMs: number): AbandonedBlock[] {
    const dropped: AbandonedBlock[] = [];
    for (const task of [...this.bySlot.values()].sort((one, other) => one.slot - other.slot)) {
      if (task.running > 0 || !this.isExhausted(task, nodes, nowMs)) break;
      this.bySlot.delete(task.slot);
      const { slot, wantedHash } = task;
      if (wantedHash === null) continue;
      dropped.push({ point: { slot, blockhash: wantedHash }, reason: reasonOf(task, nodes) });
    }
    return dropped;
  }

  private isExhausted(task: SlotTask, nodes: Nodes, nowMs: number): boolean {
    const { answers, sinceMs } = task;
    if (nodes.length === 0) return nowMs - sinceMs >= this.options.giveUpAfterMs;
    const able = nodes.filter((node) => !hasPruned(node, task));
    if (able.every((node) => answers.get(node)?.action === 'refused')) return true;
    const ageMs = nowMs - sinceMs;
    if (ageMs >= this.options.outageGiveUpAfterMs) return true;
    const working = able.filter((node) => !node.isCoolingDown);
    const isAnswered = working.length > 0 && working.every((node) => answers.has(node));
    return isAnswered && ageMs >= this.options.giveUpAfterMs;
  }
}

/** Nodes prune from the oldest slot on: a pruned slot implies that lower ones are pruned too. */
export function hasPruned({ prunedUpTo }: RpcNode, { slot }: Pick<SlotTask, 'slot'>): boolean {
  return slot <= prunedUpTo;
}

type Nodes = readonly RpcNode[];

const OTHER_BLOCK: RpcFailure = {
  action: 'elsewhere',
  harm: 'none',
  name: 'other block',
  message: 'the node has another block in this slot',
  retryAfterMs: null,
  problem: null,
};

function newTask(slot: Slot, nowMs: number, wantedHash: string | null): SlotTask {
  return {
    slot,
    sinceMs: nowMs,
    wantedHash,
    running: 0,
    startedMs: nowMs,
    node: null,
    notBeforeMs: nowMs,
    tries: 0,
    rounds: 0,
    asked: new Set(),
    answers: new Map(),
    reported: new Set(),
  };
}

/** Each node and its answer, for the gap ledger. */
function reasonOf(task: SlotTask, nodes: Nodes): string {
  if (nodes.length === 0) return 'the stream did not bring it, and there is no RPC node to ask';
  const words = nodes.map((node) => {
    const reply = hasPruned(node, task) ? 'has forgotten it' : 'did not answer';
    return `${node.label}: ${task.answers.get(node)?.name ?? reply}`;
  });
  return `asked ${task.tries} times without getting the block (${words.join(', ')})`.slice(0, 300);
}
