import type { ChainPoint } from '../../src/chain/block-link.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import type { Beat, Beats } from '../../src/cluster/beats.ts';
import type { IngesterChain } from '../../src/cluster/ingester.ts';
import type { ClusterStep } from '../../src/cluster/step-head.ts';
import {
  type Appended,
  type FollowOptions,
  LogFull,
  type StepLog,
} from '../../src/cluster/step-log.ts';
import { decodeMessage, type StepMessage } from '../../src/cluster/step-message.ts';
import { asSlot } from '../../src/model/units.ts';
import { slotFacts } from './build-facts.ts';

const FINAL_LAG = 3;

/** A chain without forks that a test advances; a block is final three blocks later. */
export class GrowingChain implements IngesterChain {
  readonly blocks: ClusterStep[] = [];
  /** While true, followers get nothing. */
  isSilent = false;
  /** Slots whose facts were asked for, in order. */
  readonly decoded: number[] = [];

  grow(count = 1): void {
    for (let added = 0; added < count; added++) {
      const slot = this.blocks.length + 1;
      const facts = {
        ...slotFacts(slot, 1_700_000_000_000 + 400 * slot, []),
        blockhash: `hash-${slot}`,
        previousBlockhash: `hash-${slot - 1}`,
      };
      this.blocks.push({ kind: 'facts', facts });
    }
  }

  async *follow(anchor: ChainPoint | null, signal: AbortSignal): AsyncGenerator<SourceItem> {
    for (let next = anchor?.slot ?? 0; !signal.aborted; ) {
      const block = this.isSilent ? undefined : this.blocks[next];
      if (block === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        continue;
      }
      yield block;
      next++;
      const final = next - FINAL_LAG;
      if (final > (anchor?.slot ?? 0)) yield { kind: 'final', slot: asSlot(final) };
    }
  }

  async factsOf(item: SourceItem & { readonly kind: 'block' | 'facts' }) {
    if (item.kind === 'block') throw new Error('this chain is decoded');
    this.decoded.push(item.facts.slot);
    return item.facts;
  }
}

/** A machine whose process a test stops and continues, between it and what it shares with others. */
export class StoppableMachine implements StepLog, Beats {
  private readonly log: StepLog;
  private readonly beats: Beats;
  /** While true, the log has no room. */
  isFull = false;
  private isStopped = false;
  private readonly waiting: (() => void)[] = [];

  constructor(log: StepLog, beats: Beats) {
    this.log = log;
    this.beats = beats;
  }

  stop(): void {
    this.isStopped = true;
  }

  continue(): void {
    this.isStopped = false;
    for (const wake of this.waiting.splice(0)) wake();
  }

  async bounds() {
    await this.running();
    return this.log.bounds();
  }

  async usage() {
    await this.running();
    return this.log.usage();
  }

  async headAt(seq: number) {
    await this.running();
    return this.log.headAt(seq);
  }

  async append(
    message: StepMessage,
    after: { readonly seq: number; readonly id: string },
  ): Promise<Appended> {
    await this.running();
    if (this.isFull) throw new LogFull('the log is full');
    return this.log.append(message, after);
  }

  async *follow(fromSeq: number, options: FollowOptions) {
    for await (const message of this.log.follow(fromSeq, options)) {
      await this.running();
      yield message;
    }
  }

  send(beat: Beat): void {
    if (!this.isStopped) this.beats.send(beat);
  }

  listen(listener: (beat: Beat) => void): void {
    this.beats.listen((beat) => {
      if (!this.isStopped) listener(beat);
    });
  }

  private running(): Promise<void> {
    if (!this.isStopped) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** All steps of a log, in order. */
export async function stepsOf(log: StepLog): Promise<ClusterStep[]> {
  const { firstSeq, lastSeq } = await log.bounds();
  const steps: ClusterStep[] = [];
  if (lastSeq < firstSeq) return steps;
  const ending = new AbortController();
  for await (const message of log.follow(firstSeq, { signal: ending.signal })) {
    const decoded = decodeMessage(message);
    if (decoded.kind !== 'step') throw new Error(`message ${message.seq} is ${decoded.kind}`);
    steps.push(decoded.step);
    if (message.seq === lastSeq) ending.abort();
  }
  return steps;
}

/** The slots of the blocks that a log leaves, and its final slot, by its steps alone. */
export function replayed(steps: readonly ClusterStep[]) {
  const slots: number[] = [];
  let final = 0;
  for (const step of steps) {
    if (step.kind === 'facts') slots.push(step.facts.slot);
    else if (step.kind === 'undo') {
      while ((slots.at(-1) ?? 0) > step.toSlot) slots.pop();
    } else if (step.kind === 'final') final = step.slot;
  }
  return { slots, final };
}
