import { mapAhead } from '../../lib/map-ahead.ts';
import { asSlot, isSlot, type Slot } from '../../model/units.ts';
import { type BlockLink, type ChainPoint, parentOf } from '../block-link.ts';
import type { LinkedBlock } from '../block-stream.ts';
import { Continuity } from '../continuity.ts';
import { networkFinality } from '../finality.ts';
import type { LogStep } from '../log-step.ts';
import type { SourceItem } from '../source.ts';
import { FinalSteps } from './final-steps.ts';
import type { BlockFetcher } from './nodes/block-fetcher.ts';
import { fetchBlock } from './nodes/fetch-block.ts';
import type { Asked, Attempt, RetryingNodes } from './nodes/retrying-nodes.ts';
import { codeFailure, unfitBlock } from './nodes/rpc-failure.ts';
import type { RpcNode } from './nodes/rpc-node.ts';
import { SlotList, type SlotListRange } from './slot-list.ts';

/** A block of the range, or only the link of the first block after it. */
interface RangeBlock extends BlockLink {
  readonly item: LinkedBlock['item'] | null;
}

/**
 * Fetches a run of final slots. Blocks are linked by hash from the first to the one after the last,
 * so each slot is returned, proven skipped, or reported missing; a block is accepted once the next
 * one names it as parent. If the iteration ends without a `stopReason` and without the signal,
 * every slot of the run has been reported.
 */
export class RangeFetch {
  /** Why no more slots can be fetched for now, in a sentence. */
  stopReason: string | null = null;
  private readonly nodes: RetryingNodes;
  private readonly fetcher: BlockFetcher | null;
  private readonly range: SlotListRange;
  private readonly final = new FinalSteps<RangeBlock>();
  /** Listed slots that no node could supply, and why. */
  private readonly failed = new Map<Slot, string>();
  private chain: Continuity<RangeBlock> | null = null;

  constructor(nodes: RetryingNodes, fetcher: BlockFetcher | null, range: SlotListRange) {
    this.nodes = nodes;
    this.fetcher = fetcher;
    this.range = range;
  }

  async *items(): AsyncGenerator<SourceItem> {
    const list = new SlotList(this.nodes, this.range);
    const fetch = async (slot: Slot) => ({ slot, fetched: await this.fetch(slot, null) });
    const { concurrencyMax } = this.nodes.tuning;
    let last: RangeBlock | null = null;
    for await (const { slot, fetched } of mapAhead(list, fetch, concurrencyMax)) {
      if (fetched.status === 'ok') {
        yield* this.take(fetched.value);
        last = fetched.value;
      } else this.fail(slot, fetched);
      if (this.isOver) return;
    }
    if (list.failure?.status === 'outage') this.stopFor(list.failure.failure.message);
    if (this.isOver) return;
    // A listed block that is not linked to the log proves nothing.
    const { chain } = this;
    if (chain !== null && last !== null && chain.head?.slot === last.slot) {
      yield* this.finalItems(chain.observeFinal(last.slot));
    }
    yield* this.rest(list.failure?.failure.message ?? 'nodes list no block that leads to them');
  }

  private get isOver(): boolean {
    return this.stopReason !== null || this.nodes.signal.aborted;
  }

  private async *take(block: RangeBlock): AsyncGenerator<SourceItem> {
    const chain = this.chain ?? (yield* this.begin(block));
    if (chain === null) return;
    yield* this.finalItems(chain.accept(block).steps);
    for (let wanted = chain.wanted(); wanted.length > 0; wanted = chain.wanted()) {
      for (const point of wanted) yield* this.finalItems(await this.fill(chain, point));
      if (this.isOver) return;
    }
    yield* this.finalItems(chain.observeFinal(block.parentSlot));
    if (chain.stopReason !== null) this.stopReason = chain.stopReason;
  }

  /**
   * Goes back from the first listed block to the first slot of the run, because lists may have
   * holes.
   */
  private async *begin(
    first: RangeBlock,
  ): AsyncGenerator<SourceItem, Continuity<RangeBlock> | null> {
    let lowest = first;
    while (lowest.parentSlot >= this.range.from) {
      const fetched = await this.fetch(lowest.parentSlot, lowest.previousBlockhash);
      if (fetched.status !== 'ok') {
        this.fail(lowest.parentSlot, fetched);
        if (this.isOver) return null;
        const reason = this.failed.get(lowest.parentSlot) ?? UNKNOWN;
        yield { kind: 'missing', from: this.range.from, to: lowest.parentSlot, reason };
        break;
      }
      lowest = fetched.value;
    }
    this.chain = new Continuity({ anchor: parentOf(lowest), finality: networkFinality() });
    yield* this.finalItems(this.chain.accept(lowest).steps);
    return this.chain;
  }

  /** Fetches a missing parent and returns the steps of the log that follow, also if that failed. */
  private async fill(
    chain: Continuity<RangeBlock>,
    point: ChainPoint,
  ): Promise<readonly LogStep<RangeBlock>[]> {
    if (!this.failed.has(point.slot)) {
      const fetched = await this.fetch(point.slot, point.blockhash);
      if (fetched.status === 'ok') {
        const { verdict, steps } = chain.accept(fetched.value);
        if (verdict === 'taken') return steps;
        this.failed.set(point.slot, `the block cannot be linked (${verdict})`);
      } else this.fail(point.slot, fetched);
    }
    return this.isOver ? [] : chain.abandon(point, this.failed.get(point.slot) ?? UNKNOWN);
  }

  private fail(slot: Slot, fetched: Exclude<Asked<RangeBlock>, { status: 'ok' }>): void {
    if (fetched.status === 'stopped') return;
    const { name, message } = fetched.failure;
    if (fetched.status === 'outage') this.stopFor(`${message} (${name})`);
    else this.failed.set(slot, `no node has the block (${name}: ${message})`.slice(0, 300));
  }

  private stopFor(message: string): void {
    this.stopReason = `No RPC node answers any more: ${message}.`;
  }

  private *finalItems(steps: readonly LogStep<RangeBlock>[]): Generator<SourceItem> {
    for (const step of this.final.take(steps)) {
      if (step.kind !== 'block') yield step;
      else if (step.block.item !== null) yield step.block.item;
    }
  }

  /** Reports the remaining slots as missing. */
  private *rest(reason: string): Generator<SourceItem> {
    const from = asSlot(Math.max(this.range.from, (this.chain?.finalSlot ?? -1) + 1));
    const { to } = this.range;
    if (from <= to) yield { kind: 'missing', from, to, reason };
  }

  /** The block of a slot; with `blockhash`, the one with that hash. */
  private fetch(slot: Slot, blockhash: string | null): Promise<Asked<RangeBlock>> {
    return this.nodes.ask(async (node) => {
      const attempt = await this.attempt(node, slot);
      if (attempt.status === 'failed' || blockhash === null) return attempt;
      if (attempt.value.blockhash === blockhash) return attempt;
      return { status: 'failed', failure: codeFailure(-32004, 'it has another block there') };
    });
  }

  private async attempt(node: RpcNode, slot: Slot): Promise<Attempt<RangeBlock>> {
    const { signal } = this.nodes;
    if (slot > this.range.to) return fetchLink(node, slot, signal);
    const fetched = await fetchBlock(node, slot, this.fetcher, signal);
    if (fetched.status === 'failed') return fetched;
    if (fetched.block.parentSlot < slot) return { status: 'ok', value: fetched.block };
    const message = 'the block comes before its own parent';
    return { status: 'failed', failure: unfitBlock(message, 'bad-transaction') };
  }
}

const UNKNOWN = 'no node gave the block';

/** The link of a block, without its transactions. */
async function fetchLink(
  node: RpcNode,
  slot: Slot,
  signal: AbortSignal,
): Promise<Attempt<RangeBlock>> {
  const options = {
    transactionDetails: 'none',
    rewards: false,
    maxSupportedTransactionVersion: 1,
    commitment: 'finalized',
  };
  const read = (result: unknown) => readLink(slot, result);
  const answer = await node.call('getBlock', [slot, options], read, signal);
  return answer.status === 'ok' ? { status: 'ok', value: answer.result } : answer;
}

function readLink(slot: Slot, result: unknown): RangeBlock | null {
  if (typeof result !== 'object' || result === null) return null;
  const { blockhash, parentSlot, previousBlockhash } = result as Record<string, unknown>;
  if (typeof blockhash !== 'string' || typeof previousBlockhash !== 'string') return null;
  if (!isSlot(parentSlot) || parentSlot >= slot) return null;
  return { slot, blockhash, parentSlot, previousBlockhash, item: null };
}
