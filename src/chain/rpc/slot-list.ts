import { isSlot, type Slot } from '../../model/units.ts';
import type { Attempt, RetryingNodes } from './nodes/retrying-nodes.ts';
import { codeFailure, garbageFailure, type RpcFailure } from './nodes/rpc-failure.ts';

export interface SlotListRange {
  readonly from: Slot;
  readonly to: Slot;
  /** The newest final slot, which has a block; at least `to`. */
  readonly finalSlot: Slot;
}

/** Maximum slots per answer. */
const PAGE_MAX = 200;

/**
 * The slots with a final block from `from` to `to`, ascending, as nodes list them, and the first
 * one after `to` if there is one: its parent proves which slots before it are empty. Lists may have
 * holes. Ends early with a `failure`, or without one when it was stopped.
 */
export class SlotList implements AsyncIterable<Slot> {
  failure: { readonly status: 'denied' | 'outage'; readonly failure: RpcFailure } | null = null;
  private readonly nodes: RetryingNodes;
  private readonly range: SlotListRange;

  constructor(nodes: RetryingNodes, range: SlotListRange) {
    this.nodes = nodes;
    this.range = range;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Slot> {
    const { to, finalSlot } = this.range;
    for (let next: number = this.range.from; ; ) {
      const page = await this.page(next);
      if (page === null) return;
      for (const slot of page) {
        yield slot;
        if (slot > to || slot >= finalSlot) return;
        next = slot + 1;
      }
    }
  }

  private async page(from: number): Promise<readonly Slot[] | null> {
    const limit = Math.min(PAGE_MAX, this.range.to - from + 2);
    const params = [from, limit, { commitment: 'finalized' }];
    const answered = await this.nodes.ask(async (node): Promise<Attempt<readonly Slot[]>> => {
      const answer = await node.call(METHOD, params, readList, this.nodes.signal);
      if (answer.status === 'failed') return answer;
      const failure = failureOf(answer.result, from, limit);
      return failure === null
        ? { status: 'ok', value: answer.result }
        : { status: 'failed', failure };
    });
    if (answered.status === 'ok') return answered.value;
    if (answered.status !== 'stopped') this.failure = answered;
    return null;
  }
}

const METHOD = 'getBlocksWithLimit';

/** Every requested slot is followed by a final block, so an empty list is wrong. */
function failureOf(slots: readonly Slot[], from: number, limit: number): RpcFailure | null {
  if (slots.length === 0) return codeFailure(-32004, `no block from slot ${from} on is listed`);
  const isAscending = slots.every((slot, at) => slot > (slots[at - 1] ?? from - 1));
  if (isAscending && slots.length <= limit) return null;
  return garbageFailure('the list does not match the request', 'unreadable');
}

function readList(result: unknown): readonly Slot[] | null {
  return Array.isArray(result) && result.length <= PAGE_MAX && result.every(isSlot) ? result : null;
}
