import type { Slot } from '../../../model/units.ts';
import { type ChainPoint, keyOf } from '../../block-link.ts';
import type { RpcFailure } from '../nodes/rpc-failure.ts';
import type { RpcNode } from '../nodes/rpc-node.ts';

export interface SlotTaskOptions {
  readonly random: () => number;
  /** Between rounds in which every node was asked: a random share of a bound that doubles. */
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /** A block that is needed is given up when every node that works has answered without it and this
   * long has passed. */
  readonly giveUpAfterMs: number;
  /** The same where nodes do not answer at all. */
  readonly outageGiveUpAfterMs: number;
}

/** A slot of which the block is to be fetched. */
export interface SlotTask {
  readonly slot: Slot;
  readonly sinceMs: number;
  /** The block that another one names as its parent; null for a slot that was only listed. */
  wantedHash: string | null;
  /** Requests that wait for their answer. */
  running: number;
  /** When the newest of them began, and with whom. */
  startedMs: number;
  node: RpcNode | null;
  notBeforeMs: number;
  tries: number;
  rounds: number;
  /** Asked in this round. */
  readonly asked: Set<RpcNode>;
  /** What each node last said of the slot, where it said something. */
  readonly answers: Map<RpcNode, RpcFailure>;
  /** Problems that were told, so that each is told once. */
  readonly told: Set<string>;
}

/** A block given up: who follows it stands behind a gap. */
export interface GivenUp {
  readonly point: ChainPoint;
  readonly reason: string;
}

/** The slots to fetch, whom to ask next, and when to stop asking. */
export class SlotTasks {
  private readonly options: SlotTaskOptions;
  private readonly bySlot = new Map<Slot, SlotTask>();

  constructor(options: SlotTaskOptions) {
    this.options = options;
  }

  get size(): number {
    return this.bySlot.size;
  }

  /** A node lists the slot as one with a block. */
  list(slot: Slot, nowMs: number): void {
    if (!this.bySlot.has(slot)) this.bySlot.set(slot, newTask(slot, nowMs, null));
  }

  /** These blocks are missed and no others are. */
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

  /** The block came otherwise. */
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

  /** Tasks whose only request has been out for that long, oldest slot first. */
  overdue(nowMs: number, afterMs: number): SlotTask[] {
    return [...this.bySlot.values()]
      .filter(({ running, startedMs }) => running === 1 && nowMs - startedMs >= afterMs)
      .sort((one, other) => one.slot - other.slot);
  }

  /** False once it is done with, whatever else is still on its way. */
  has(task: SlotTask): boolean {
    return this.bySlot.get(task.slot) === task;
  }

  /** When the next task becomes due that is not yet, infinite for none. */
  nextDueMs(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { running, notBeforeMs } of this.bySlot.values()) {
      if (running === 0 && notBeforeMs > nowMs) nextMs = Math.min(nextMs, notBeforeMs);
    }
    return nextMs;
  }

  /** A block came. Done, unless it is another than the one that is missed. */
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
      node.forgottenUpTo = Math.max(node.forgottenUpTo, task.slot);
    }
    task.asked.add(node);
    const others = nodes.filter(
      (other) => !(other.isLeftAlone || task.asked.has(other) || hasForgotten(other, task)),
    );
    if (others.length > 0) return;
    const { retryBaseMs, retryMaxMs, random } = this.options;
    const boundMs = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(task.rounds, 20));
    task.rounds++;
    task.asked.clear();
    task.notBeforeMs = nowMs + boundMs * (0.5 + random() / 2);
  }

  /**
   * Takes out what there is no use in asking for any longer; returns what was missed of it. A slot
   * waits for those before it, so that no gap names a block that is on its way.
   */
  giveUp(nodes: Nodes, nowMs: number): GivenUp[] {
    const given: GivenUp[] = [];
    for (const task of [...this.bySlot.values()].sort((one, other) => one.slot - other.slot)) {
      if (task.running > 0 || !this.isExhausted(task, nodes, nowMs)) break;
      this.bySlot.delete(task.slot);
      const { slot, wantedHash } = task;
      if (wantedHash === null) continue;
      given.push({ point: { slot, blockhash: wantedHash }, reason: reasonOf(task, nodes) });
    }
    return given;
  }

  private isExhausted(task: SlotTask, nodes: Nodes, nowMs: number): boolean {
    const { answers, sinceMs } = task;
    if (nodes.length === 0) return nowMs - sinceMs >= this.options.giveUpAfterMs;
    const remembering = nodes.filter((node) => !hasForgotten(node, task));
    if (remembering.every((node) => answers.get(node)?.action === 'refused')) return true;
    const ageMs = nowMs - sinceMs;
    if (ageMs >= this.options.outageGiveUpAfterMs) return true;
    const working = remembering.filter((node) => !node.isLeftAlone);
    const isAnswered = working.length > 0 && working.every((node) => answers.has(node));
    return isAnswered && ageMs >= this.options.giveUpAfterMs;
  }
}

/** Nodes forget from the oldest slot on: what was said of one slot holds for those before it. */
export function hasForgotten(
  { forgottenUpTo }: RpcNode,
  { slot }: Pick<SlotTask, 'slot'>,
): boolean {
  return slot <= forgottenUpTo;
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
    told: new Set(),
  };
}

/** Each node and what it said, for the gap ledger. */
function reasonOf(task: SlotTask, nodes: Nodes): string {
  if (nodes.length === 0) return 'the stream did not bring it, and there is no RPC node to ask';
  const words = nodes.map((node) => {
    const said = hasForgotten(node, task) ? 'has forgotten it' : 'did not answer';
    return `${node.label}: ${task.answers.get(node)?.name ?? said}`;
  });
  return `asked ${task.tries} times without getting the block (${words.join(', ')})`.slice(0, 300);
}
