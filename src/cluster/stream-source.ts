import type { ChainPoint } from '../chain/block-link.ts';
import type { Source, SourceItem, SourceSummary } from '../chain/source.ts';
import type { SourceStatus } from '../chain/source-status.ts';
import type { Clock } from '../lib/clock.ts';
import type { SourceProblem, SourceProblemCode } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import { findPosition } from './find-position.ts';
import { RESTORE } from './restore-advice.ts';
import type { StepHead } from './step-head.ts';
import { LogUnavailable, type StepLog } from './step-log.ts';
import { decodeMessage, type StoredMessage } from './step-message.ts';

export interface StreamSourceOptions {
  /** Awaited when the source is read, so that a service can answer while no server does. */
  readonly log: StepLog | Promise<StepLog>;
  /** Name of the log in messages, such as that of the stream. */
  readonly name: string;
  /** The last final block of the data folder; null for an empty one. */
  readonly final: ChainPoint | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with each step before it is yielded. */
  readonly onStep?: (seq: number, head: StepHead) => void;
  /**
   * Resolves once a change of the control plane was read. A step that names it waits, because it
   * counts from the step on.
   */
  readonly hasControl?: (seq: number) => Promise<boolean>;
}

/** `log-unreadable`: the state is right, and nothing can be added to it. */
export type HaltCode = Extract<SourceProblemCode, 'state-differs' | 'log-unreadable'>;

/** A silent log counts as interrupted after this long. */
const SILENCE_MS = 5_000;
const RETRY_MS = 250;

/** The steps of a shared log as a source of ingestion, from where the data folder ends. */
export class StreamSource implements Source {
  readonly areBlocksFinal = false;
  private readonly options: StreamSourceOptions;
  private counts = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
  private head: Slot | null = null;
  private final: Slot | null = null;
  private heardMs: number | null = null;
  private lastEnd: string | null = null;
  private attempts = 0;
  private next = 0;
  private applied: number | null = null;
  private late = 0;
  private control = 0;
  private haltCode: HaltCode = 'state-differs';
  private readonly halting = new AbortController();

  constructor(options: StreamSourceOptions) {
    this.options = options;
  }

  get headSlot(): Slot | null {
    return this.head;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  /** Sequence of the next message; 0 before the first iteration. */
  get nextSeq(): number {
    return this.next;
  }

  /** Sequence of the step that was yielded last, and is applied until the next is asked for. */
  get step(): number | null {
    return this.next === 0 ? null : this.next - 1;
  }

  /** Sequence of the last step that is applied for certain; null before the first iteration. */
  get appliedStep(): number | null {
    return this.applied;
  }

  /** Sequence of the last step read that changed final slots; 0 before the first. */
  get lateSeq(): number {
    return this.late;
  }

  /** The last change of the control plane that counts with the steps read. It never falls. */
  get controlSeq(): number {
    return this.control;
  }

  /** Ends the reading with a problem that says why, such as that the state must not be used. */
  halt(sentence: string, code: HaltCode = 'state-differs'): void {
    this.haltCode = code;
    this.halting.abort(sentence);
  }

  get status(): SourceStatus {
    const { head: headSlot, final: finalSlot, heardMs, counts, attempts, lastEnd } = this;
    const isStreaming =
      heardMs !== null && this.options.clock.nowMs() - heardMs < SILENCE_MS && lastEnd === null;
    return {
      headSlot,
      finalSlot,
      tipSlot: headSlot,
      finality: null,
      pendingBlocks: 0,
      duplicates: 0,
      nodes: [],
      comparison: null,
      stream: {
        origin: `NATS stream ${this.options.name}`,
        isStreaming,
        attempts,
        interruptions: Math.max(0, attempts - 1),
        blocks: counts.blocks,
        duplicates: 0,
        incomplete: 0,
        lastEnd,
      },
      outages: 0,
      isOut: heardMs !== null && !isStreaming,
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    const signal = AbortSignal.any([this.options.signal, this.halting.signal]);
    this.counts = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
    const log = await this.options.log;
    const start = await this.startSeq(log);
    if (start === null) return;
    if (typeof start !== 'number') {
      yield this.ended(start);
      return;
    }
    this.next = start;
    this.applied = start - 1;
    this.final = this.options.final?.slot ?? null;
    this.attempts++;
    for await (const message of log.follow(start, { signal })) {
      if (message.seq !== this.next) {
        yield this.ended(this.lost(message.seq));
        return;
      }
      if (signal.aborted) break;
      this.applied = message.seq - 1;
      this.next = message.seq + 1;
      this.heardMs = this.options.clock.nowMs();
      const item = await this.countingItem(message);
      if (item === null) continue;
      yield item;
      if (item.kind === 'problem' && item.problem.code === 'log-unreadable') return;
    }
    if (this.halting.signal.aborted) {
      yield this.ended(this.problem(this.haltCode, null, String(this.halting.signal.reason)));
    }
  }

  /** The item, once the changes were read that count from it on; null if aborted before. */
  private async countingItem(message: StoredMessage): Promise<SourceItem | null> {
    const item = this.itemOf(message);
    const { hasControl } = this.options;
    if (item?.kind !== 'facts' || hasControl === undefined) return item;
    return (await hasControl(this.control)) ? item : null;
  }

  /** A sequence, or the problem that prevents reading; null once aborted. */
  private async startSeq(log: StepLog): Promise<number | SourceProblem | null> {
    const { final, clock, signal } = this.options;
    while (!signal.aborted) {
      try {
        const position = await findPosition(log, final, signal);
        if (signal.aborted) return null;
        if (position.kind === 'from') return position.seq;
        return this.problem('log-truncated', null, this.refusal(position));
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        await clock.sleep(RETRY_MS, signal);
      }
    }
    return null;
  }

  private refusal(
    position: Exclude<Awaited<ReturnType<typeof findPosition>>, { readonly kind: 'from' }>,
  ): string {
    const { final, name } = this.options;
    if (position.kind === 'other-block') {
      return `The stream ${name} has block ${position.blockhash} as slot ${final?.slot}, the data folder ${final?.blockhash}: they are of different chains, or one of them followed a fork deeper than finality. ${RESTORE}`;
    }
    if (position.kind === 'ahead') {
      return `The data folder ends at slot ${final?.slot}, which the stream ${name} has not reached: it ends at ${position.finalSlot ?? 'no final slot'}. The stream was replaced by another one, or is of another chain. ${RESTORE}`;
    }
    const begins =
      position.afterSlot === null
        ? 'in the middle of the chain'
        : `after slot ${position.afterSlot}`;
    const needed =
      final === null
        ? 'this data folder is empty'
        : `this replica needs it from slot ${final.slot + 1} on`;
    return `The stream ${name} begins ${begins}, and ${needed}: older messages were removed. ${RESTORE}`;
  }

  private lost(seq: number): SourceProblem {
    const { name } = this.options;
    const message = `The stream ${name} continues at message ${seq} in place of ${this.next}: messages were removed before this replica had read them. ${RESTORE}`;
    return this.problem('log-truncated', null, message);
  }

  /** Null for what the data folder has already. */
  private itemOf(message: StoredMessage): SourceItem | null {
    const { name, onStep } = this.options;
    const decoded = decodeMessage(message);
    const position = `message ${message.seq}`;
    if (decoded.kind === 'foreign') {
      const problem = this.problem(
        'foreign-message',
        position,
        `Message ${message.seq} of the stream ${name} is not a step of the log and was left out: something else publishes to its subject.`,
      );
      return this.count({ kind: 'problem', problem });
    }
    if (decoded.kind === 'unusable') {
      const sentence = `Message ${message.seq} of the stream ${name} cannot be used: ${decoded.reason}. Nothing after it is applied.`;
      return this.ended(this.problem('log-unreadable', position, sentence));
    }
    this.late = decoded.head.lateSeq;
    onStep?.(message.seq, decoded.head);
    const { step } = decoded;
    if (step.kind === 'facts') {
      this.control = Math.max(this.control, decoded.head.controlSeq ?? 0);
    }
    if (step.kind === 'final' && step.slot <= (this.final ?? -1)) return null;
    return this.count(step);
  }

  private count(item: SourceItem): SourceItem {
    if (item.kind === 'problem') this.counts.problems++;
    if (item.kind === 'final') this.final = item.slot;
    if (item.kind === 'undo') this.head = item.toSlot;
    if (item.kind !== 'facts') return item;
    const { slot, transactions, voteCount } = item.facts;
    if (slot > (this.head ?? -1)) this.head = slot;
    this.counts.blocks++;
    this.counts.transactions += transactions.length;
    this.counts.votes += voteCount;
    return item;
  }

  private ended(problem: SourceProblem): SourceItem {
    this.lastEnd = problem.message;
    return this.count({ kind: 'problem', problem });
  }

  private problem(
    code: SourceProblemCode,
    position: string | null,
    message: string,
  ): SourceProblem {
    return { code, origin: `NATS stream ${this.options.name}`, position, message };
  }
}
