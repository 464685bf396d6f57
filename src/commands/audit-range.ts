import { fetchBlock } from '../chain/rpc/nodes/fetch-block.ts';
import { type BlockSignatures, fetchSignatures } from '../chain/rpc/nodes/fetch-signatures.ts';
import type { Asked, RetryingNodes } from '../chain/rpc/nodes/retrying-nodes.ts';
import { SlotList } from '../chain/rpc/slot-list.ts';
import { mapAhead } from '../lib/map-ahead.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { SlotRange } from '../store/control/slot-ranges.ts';
import { compareSignatures, type SlotDifference } from './compare-signatures.ts';
import type { RequestedRange } from './slot-range-option.ts';

/** The stored slots of a range. */
export interface StoredSlots {
  /** Slots from `fromSlot` on, ascending. */
  read(fromSlot: number): AsyncIterable<SlotFacts>;
  /** The states of slots according to the ledger. */
  ranges(from: Slot, to: Slot): readonly SlotRange[];
}

/** A slot that differs between the store and the other source. */
export interface DifferingSlot {
  readonly slot: Slot;
  /** One sentence per difference. */
  readonly differences: readonly string[];
  /** Signatures that are not stored, if the other source listed them. */
  readonly missing: readonly string[];
  /** Stored signatures that the other source does not have. */
  readonly extra: readonly string[];
}

/** A slot that could not be compared. */
export interface UncomparedSlot {
  readonly slot: Slot;
  readonly reason: string;
}

export interface RangeAudit {
  readonly range: RequestedRange;
  /** Number of compared slots. */
  readonly compared: number;
  readonly transactions: number;
  readonly differing: readonly DifferingSlot[];
  readonly uncompared: readonly UncomparedSlot[];
  /** Reason for ending early, as a sentence; null if completed. */
  readonly stopReason: string | null;
}

type Verdict =
  | { readonly kind: 'equal' | 'stopped' }
  | ({ readonly kind: 'differs' } & DifferingSlot)
  | ({ readonly kind: 'uncompared' } & UncomparedSlot)
  | { readonly kind: 'outage'; readonly reason: string };

/** Compares stored slots with other nodes, by signature. */
export class RangeAuditor {
  private readonly stored: StoredSlots;
  private readonly nodes: RetryingNodes;
  private readonly range: RequestedRange;
  private readonly storedSlots = new Set<Slot>();
  private readonly differing: DifferingSlot[] = [];
  private readonly uncompared: UncomparedSlot[] = [];
  private compared = 0;
  private transactions = 0;
  private stopReason: string | null = null;

  constructor(stored: StoredSlots, nodes: RetryingNodes, range: RequestedRange) {
    this.stored = stored;
    this.nodes = nodes;
    this.range = range;
  }

  async run(onProgress: (slotsDone: number) => void): Promise<RangeAudit> {
    const compare = async (facts: SlotFacts) => ({ facts, verdict: await this.compare(facts) });
    const { concurrencyMax } = this.nodes.tuning;
    for await (const { facts, verdict } of mapAhead(this.slots(), compare, concurrencyMax)) {
      this.storedSlots.add(facts.slot);
      this.note(facts, verdict);
      onProgress(facts.slot - this.range.from + 1);
      if (this.isOver) break;
    }
    if (!this.isOver) await this.findUnstored();
    const { range, compared, transactions, differing, uncompared, stopReason } = this;
    const bySlot = (one: { slot: Slot }, other: { slot: Slot }) => one.slot - other.slot;
    differing.sort(bySlot);
    uncompared.sort(bySlot);
    return { range, compared, transactions, differing, uncompared, stopReason };
  }

  private get isOver(): boolean {
    return this.stopReason !== null || this.nodes.signal.aborted;
  }

  private async *slots(): AsyncGenerator<SlotFacts> {
    for await (const facts of this.stored.read(this.range.from)) {
      if (facts.slot > this.range.to) return;
      yield facts;
    }
  }

  private note({ transactions }: SlotFacts, verdict: Verdict): void {
    if (verdict.kind === 'stopped') return;
    if (verdict.kind === 'outage') this.stopReason = verdict.reason;
    else if (verdict.kind === 'uncompared') this.uncompared.push(unmarked(verdict));
    else {
      this.compared++;
      this.transactions += transactions.length;
      if (verdict.kind === 'differs') this.differing.push(unmarked(verdict));
    }
  }

  private async compare(facts: SlotFacts): Promise<Verdict> {
    const { slot } = facts;
    const { signal } = this.nodes;
    const asked = await this.nodes.ask((node) => fetchSignatures(node, slot, signal));
    if (asked.status !== 'ok') return failing(slot, asked);
    const difference = compareSignatures(facts, asked.value);
    if (difference === null) return { kind: 'equal' };
    const { extra } = difference;
    const missing = difference.missingCount === 0 ? [] : await this.nameMissing(facts, asked.value);
    return { kind: 'differs', slot, differences: wordsOf(difference), missing, extra };
  }

  /** The missing signatures without votes; empty if no node provides the whole block. */
  private async nameMissing(facts: SlotFacts, other: BlockSignatures): Promise<readonly string[]> {
    const { signal } = this.nodes;
    const asked = await this.nodes.ask(async (node) => {
      const fetched = await fetchBlock(node, facts.slot, null, signal);
      return fetched.status === 'ok' ? { status: 'ok', value: fetched.block } : fetched;
    });
    if (asked.status !== 'ok' || asked.value.blockhash !== other.blockhash) return [];
    const { item } = asked.value;
    const { transactions } = item.kind === 'block' ? item.block : item.facts;
    const own = new Set(facts.transactions.map(({ signature }) => signature));
    return transactions.map(({ signature }) => signature).filter((theirs) => !own.has(theirs));
  }

  /** Finds blocks that nodes list but that are not stored, and gaps that no node lists either. */
  private async findUnstored(): Promise<void> {
    const asked = await this.nodes.finalSlot();
    if (asked.status === 'outage') this.stopReason = outageOf(asked.failure);
    if (asked.status !== 'ok') return;
    const to = asSlot(Math.min(this.range.to, asked.value));
    if (to < this.range.from) return;
    const list = new SlotList(this.nodes, { from: this.range.from, to, finalSlot: asked.value });
    const listed = new Set<Slot>();
    for await (const slot of list) {
      if (slot > to) break;
      listed.add(slot);
      if (!this.storedSlots.has(slot)) this.noteUnstored(slot);
    }
    if (list.failure !== null) this.stopReason = outageOf(list.failure.failure);
    for (const slot of this.namedMissing()) {
      if (listed.has(slot) || this.storedSlots.has(slot)) continue;
      const reason = 'not stored, and the other source does not list it';
      this.uncompared.push({ slot, reason });
    }
  }

  private noteUnstored(slot: Slot): void {
    const [known] = this.stored.ranges(slot, slot);
    const state = known === undefined ? 'never requested' : `known as ${known.state}`;
    const differences = [`not stored (${state}), and the other source has a block`];
    this.differing.push({ slot, differences, missing: [], extra: [] });
    this.compared++;
  }

  private *namedMissing(): Generator<Slot> {
    for (const { from, to, state } of this.stored.ranges(this.range.from, this.range.to)) {
      if (state !== 'missing') continue;
      const last = Math.min(to, this.range.to);
      for (let slot = Math.max(from, this.range.from); slot <= last; slot++) yield asSlot(slot);
    }
  }
}

function failing(slot: Slot, asked: Exclude<Asked<unknown>, { readonly status: 'ok' }>): Verdict {
  if (asked.status === 'stopped') return { kind: 'stopped' };
  const { failure } = asked;
  if (asked.status === 'outage') return { kind: 'outage', reason: outageOf(failure) };
  if (SKIP_NAMES.has(failure.name)) {
    const differences = [`stored, and the other source reports no block (${failure.name})`];
    return { kind: 'differs', slot, differences, missing: [], extra: [] };
  }
  return { kind: 'uncompared', slot, reason: `${failure.message} (${failure.name})` };
}

/** Skipped slots, and slots missing in long-term storage. */
const SKIP_NAMES: ReadonlySet<string> = new Set(['rpc -32007', 'rpc -32009']);

function outageOf({ message, name }: { readonly message: string; readonly name: string }): string {
  return `The other source does not answer: ${message} (${name}).`;
}

function wordsOf(difference: SlotDifference): string[] {
  const { isOtherBlock, extra, missingCount, surplusVotes, isOtherOrder } = difference;
  return [
    ...(isOtherBlock ? ['another blockhash'] : []),
    ...(missingCount > 0 ? [`${missingCount} transactions are not stored`] : []),
    ...(extra.length > 0 ? [`${extra.length} stored transactions are unknown there`] : []),
    ...(surplusVotes > 0 ? [`${surplusVotes} votes too many were counted`] : []),
    ...(isOtherOrder ? ['transactions are at other positions'] : []),
  ];
}

function unmarked<Marked extends { readonly kind: string }>(verdict: Marked): Omit<Marked, 'kind'> {
  const { kind, ...rest } = verdict;
  return rest;
}
