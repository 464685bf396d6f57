import type { ChainPoint } from '../chain/block-link.ts';
import type { SourceItem } from '../chain/source.ts';
import type { Clock } from '../lib/clock.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Beat, Beats } from './beats.ts';
import { ControlInputs } from './control/control-inputs.ts';
import { type LogFailure, LogRetries } from './log-retries.ts';
import { LogTail } from './log-tail.ts';
import { type ClusterStep, decodeHead, encodeHead, nameOfStep } from './step-head.ts';
import type { StepLog } from './step-log.ts';
import { bodyOf, headOf, type StoredMessage } from './step-message.ts';
import { TailJoin } from './tail-join.ts';

/** The followed chain, as an ingester needs it. */
export interface IngesterChain {
  /** Follows the chain after a final block; null: from its newest final block. */
  follow(anchor: ChainPoint | null, signal: AbortSignal): AsyncIterable<SourceItem>;
  /** Decodes what a source delivers, and adds what is known of it elsewhere. */
  factsOf(item: SourceItem & { readonly kind: 'block' | 'facts' }): Promise<SlotFacts>;
}

export interface IngesterTiming {
  /** The writer is replaced when neither a step nor a beat of it came for this long. */
  readonly silenceMs: number;
  readonly beatMs: number;
  /** A writer without a block for this long hands over, if another ingester waits. */
  readonly idleMs: number;
  readonly retryMs: number;
}

export const INGESTER_TIMING: IngesterTiming = {
  silenceMs: 2_000,
  beatMs: 500,
  idleMs: 10_000,
  retryMs: 200,
};

export interface IngesterOptions {
  readonly log: StepLog;
  /** Changes of the control plane, of which some go into the log; none if omitted. */
  readonly control?: StepLog;
  readonly beats: Beats;
  readonly chain: IngesterChain;
  /** Unique to this run of a process. */
  readonly name: string;
  readonly clock: Clock;
  readonly timing?: Partial<IngesterTiming>;
  readonly onNotice?: (sentence: string) => void;
  /** Called with a sentence when the log begins to take no steps. They are tried again. */
  readonly onFailure?: (sentence: string) => void;
  readonly onProblem?: (problem: SourceProblem) => void;
  readonly signal: AbortSignal;
}

/** How an ingester stands. Counts are since the start. */
export interface IngesterStatus {
  readonly isWriting: boolean;
  readonly lastSeq: number;
  readonly finalSlot: number | null;
  readonly headSlot: number | null;
  /** Why the log takes no steps, or does not answer; null while it does. */
  readonly failure: LogFailure | null;
  readonly appended: number;
  readonly takeovers: number;
  /** Appends that were refused because another ingester had appended first. */
  readonly refused: number;
}

/** Enough messages to know the tail, which is bounded, and what was skipped before it. */
const HEADS_BACK = 5_000;

/**
 * Appends the steps of a chain to the log while no other ingester does. It waits as a standby and
 * knows the tail; when the writer is silent it takes over at the last final block.
 */
export class Ingester {
  private readonly options: IngesterOptions;
  private readonly timing: IngesterTiming;
  private tail = new LogTail();
  private state: Beat['state'] = 'standby';
  private heardMs: number;
  private standbyHeardMs = Number.NEGATIVE_INFINITY;
  private isResigned = false;
  private readonly inputs: ControlInputs;
  private readonly retries: LogRetries;
  private readonly counts = { appended: 0, takeovers: 0, refused: 0 };

  constructor(options: IngesterOptions) {
    this.options = options;
    this.timing = { ...INGESTER_TIMING, ...options.timing };
    this.heardMs = options.clock.nowMs();
    this.inputs = new ControlInputs((sentence) => options.onNotice?.(sentence));
    const { retryMs } = this.timing;
    this.retries = new LogRetries({ ...options, retryMs });
  }

  get status(): IngesterStatus {
    const { tail, counts, retries } = this;
    return {
      isWriting: this.state === 'writing',
      lastSeq: tail.lastSeq,
      finalSlot: tail.final?.slot ?? null,
      headSlot: tail.head?.slot ?? null,
      failure: retries.failure,
      ...counts,
    };
  }

  /** Runs until the signal is aborted. Rejects with what cannot pass. */
  async run(): Promise<void> {
    const { beats, clock, name, signal } = this.options;
    beats.listen((beat) => this.hear(beat));
    const beating = (async () => {
      while (!signal.aborted) {
        beats.send({ ingester: name, state: this.state });
        await clock.sleep(this.timing.beatMs, signal);
      }
    })();
    while (!signal.aborted) {
      await this.waitForSilence();
      if (!signal.aborted) await this.write();
    }
    await beating;
  }

  private hear({ ingester, state }: Beat): void {
    if (ingester === this.options.name) return;
    const nowMs = this.options.clock.nowMs();
    if (state === 'writing') this.heardMs = nowMs;
    if (state === 'standby') this.standbyHeardMs = nowMs;
    if (state === 'resigned') this.isResigned = true;
  }

  /** Reads heads until the writer is silent and everything it appended is read. */
  private async waitForSilence(): Promise<void> {
    const { log, clock, signal } = this.options;
    this.tail = new LogTail();
    this.isResigned = false;
    const bounds = await this.retries.call(() => log.bounds());
    if (bounds === null) return;
    const fromSeq = Math.max(bounds.firstSeq, bounds.lastSeq - HEADS_BACK);
    this.tail.pass(fromSeq - 1, null);
    // Everything there is was appended before, by whoever: the silence begins now.
    this.heardMs = clock.nowMs();
    const reading = new AbortController();
    const signals = AbortSignal.any([signal, reading.signal]);
    const read = this.readHeads(fromSeq, bounds.lastSeq, signals);
    try {
      while (!signal.aborted && !(await this.isMyTurn())) {
        await Promise.race([clock.sleep(this.timing.retryMs, signal), read]);
      }
    } finally {
      reading.abort();
      await read;
    }
  }

  private async readHeads(fromSeq: number, knownSeq: number, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.options;
    for await (const message of log.follow(fromSeq, { headsOnly: true, signal })) {
      if (message.seq > knownSeq) this.heardMs = clock.nowMs();
      this.pass(message);
    }
  }

  private pass({ seq, head: line }: StoredMessage): void {
    const head = line === null ? null : decodeHead(line);
    this.tail.pass(seq, typeof head === 'string' ? null : head);
  }

  private async isMyTurn(): Promise<boolean> {
    const { clock, log } = this.options;
    const isSilent = clock.nowMs() - this.heardMs >= this.timing.silenceMs;
    if (!isSilent) this.retries.recover();
    if (!isSilent && !this.isResigned) return false;
    const bounds = await this.retries.attempt(() => log.bounds());
    return bounds !== null && bounds.lastSeq === this.tail.lastSeq;
  }

  /** Follows the chain until an append is refused, the chain is silent, or the signal is aborted. */
  private async write(): Promise<void> {
    const { beats, chain, clock, control, name, signal, onNotice } = this.options;
    const { final, finalControlSeq } = this.tail;
    onNotice?.(
      final === null
        ? 'this ingester begins the log'
        : `this ingester takes over after slot ${final.slot}`,
    );
    this.state = 'writing';
    this.counts.takeovers++;
    const ending = new AbortController();
    const signals = AbortSignal.any([signal, ending.signal]);
    const read = control && this.inputs.read(control, finalControlSeq, signals);
    const idle = this.watchForIdleness(() => lastMs, ending, signals);
    let lastMs = clock.nowMs();
    const join = new TailJoin(this.tail);
    let isRefused = false;
    try {
      for await (const item of chain.follow(final, signals)) {
        if (signals.aborted) break;
        isRefused = !(await this.take(item, join));
        if (isRefused) break;
        // What the log delayed is no silence of the chain.
        if (item.kind === 'block' || item.kind === 'facts') lastMs = clock.nowMs();
      }
    } finally {
      this.state = 'standby';
      if (!isRefused) beats.send({ ingester: name, state: 'resigned' });
      ending.abort();
      await Promise.all([idle, read]);
    }
    if (!signal.aborted) await clock.sleep(this.timing.retryMs, signal);
  }

  /** Returns false once another ingester has appended, or the signal is aborted. */
  private async take(item: SourceItem, join: TailJoin): Promise<boolean> {
    const { chain, onProblem, onNotice } = this.options;
    if (item.kind === 'problem') {
      onProblem?.(item.problem);
      return true;
    }
    // A takeover begins with blocks that are there: they are not decoded.
    if (item.kind === 'block' && join.passOver(item.block)) return true;
    if (item.kind === 'facts' && join.passOver(item.facts)) return true;
    const step: ClusterStep =
      item.kind === 'block' || item.kind === 'facts'
        ? { kind: 'facts', facts: await chain.factsOf(item) }
        : item;
    for (const next of join.take(step)) {
      if (await this.append(next)) continue;
      if (this.options.signal.aborted) return false;
      this.counts.refused++;
      onNotice?.('another ingester has appended: this one waits');
      return false;
    }
    return true;
  }

  private async append(given: ClusterStep): Promise<boolean> {
    const { log, name } = this.options;
    const { step, controlSeq } = this.withInputs(given);
    const head = this.tail.headOf(headOf(step), name, controlSeq);
    const message = { head: encodeHead(head), body: bodyOf(step) };
    const { lastSeq } = this.tail;
    const id = `${nameOfStep(head.step)}:${lastSeq}:${name}`;
    const appended = await this.retries.call(() => log.append(message, { seq: lastSeq, id }));
    if (appended === null || appended.kind === 'refused') return false;
    this.tail.pass(appended.seq, head);
    this.counts.appended++;
    return true;
  }

  /** A block after all others with the changes of the control plane that it is the first to have. */
  private withInputs(step: ClusterStep): {
    readonly step: ClusterStep;
    readonly controlSeq?: number;
  } {
    if (step.kind !== 'facts' || !this.tail.isNewest(step.facts)) return { step };
    const { facts, controlSeq } = this.inputs.attach(step.facts, this.tail);
    return { step: { kind: 'facts', facts }, controlSeq };
  }

  /** A writer whose chain is silent lets another try, whose nodes may be better. */
  private async watchForIdleness(
    lastMs: () => number,
    ending: AbortController,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, onNotice } = this.options;
    const { idleMs, silenceMs, beatMs } = this.timing;
    while (!signal.aborted) {
      await clock.sleep(beatMs, signal);
      const nowMs = clock.nowMs();
      const hasStandby = nowMs - this.standbyHeardMs <= silenceMs;
      // No block is asked for while one cannot be appended.
      const isWaiting = this.retries.failure !== null || nowMs - lastMs() < idleMs;
      if (isWaiting || !hasStandby) continue;
      onNotice?.('the chain is silent for this ingester: it hands over to another');
      ending.abort();
    }
  }
}
