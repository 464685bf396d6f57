import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentAccount, runForAccount } from '../../lib/current-account.ts';
import { FairQueue } from '../../lib/fair-queue.ts';
import type { AsOf } from '../../model/as-of.ts';
import type { SlotChanges } from '../../model/derived.ts';
import { ApiError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { SlotLog } from '../../store/reads/slot-log.ts';
import type { FoldListener } from '../fold-listener.ts';
import type { FoldStates } from '../fold-states.ts';
import { type AnswerableSlots, answerableSlots, type PastSource } from '../past-source.ts';
import { type ComputeParts, computeState } from './compute-state.ts';
import { DamagedCheckpoints } from './damaged-checkpoints.ts';
import { type KeptState, KeptStates } from './kept-states.ts';
import type { PastSettings } from './past-messages.ts';
import type { PastAnswers, PastKind, QueryOf } from './past-query.ts';
import { PastError, PastThread, type PastThreadOptions } from './past-thread.ts';

/** Slots whose states may wait to be computed, in total and of one account. */
const WAITING_MAX = 16;
const WAITING_PER_ACCOUNT_MAX = 4;
/** Reads that may wait for them. Their calls stay open after the request was answered with 503. */
const READS_MAX = 64;
/** A state is computed again if its slots are reverted meanwhile, at most so often. */
const ATTEMPTS_MAX = 3;
/** The thread and its states are released after so long without a read. */
const IDLE_MS = 3 * 60_000;

export interface PastOptions {
  readonly source: () => PastSource;
  readonly states: Pick<FoldStates, 'linkPast' | 'createPast' | 'removePast'>;
  readonly log: Pick<SlotLog, 'readEncoded' | 'find'>;
  readonly settings: PastSettings;
  /** Receives sentences about what went wrong and was dealt with. */
  readonly report: (sentence: string) => void;
  /** Replaces options of the thread and the idle time, for tests. */
  readonly thread?: Partial<PastThreadOptions>;
  readonly idleMs?: number;
}

/** The answer to a read, or that the slot is outside of the answerable ones. */
export type PastOutcome<Data> =
  | { readonly kind: 'answered'; readonly answer: AsOf<Data> }
  | { readonly kind: 'outside'; readonly slots: AnswerableSlots };

/** A state that is being computed, or waits to be. */
interface Build {
  readonly slot: Slot;
  readonly outcome: PromiseWithResolvers<KeptState | AnswerableSlots>;
  /** A slot up to it was reverted or applied since the last attempt began. */
  isStale: boolean;
}

/** Counts since the start. */
export interface PastCounts {
  readonly built: number;
  readonly failed: number;
  readonly slots: number;
  readonly busyMs: number;
  readonly refused: number;
}

/**
 * Reads of the state as of any earlier slot that is answerable, on the present branch: of the last
 * slot up to it that has a block. States are computed in a thread of their own, one at a time;
 * accounts take turns.
 */
export class PastStates implements Pick<FoldListener, 'onApplied' | 'onReverted' | 'onReplaced'> {
  readonly thread: PastThread;
  private readonly options: PastOptions;
  private readonly kept: KeptStates;
  private readonly damaged: DamagedCheckpoints;
  private readonly parts: ComputeParts;
  private readonly queue = new FairQueue<Build>();
  private readonly builds = new Map<Slot, Build>();
  private running: Build | null = null;
  private isRunning = false;
  private reads = 0;
  private idle: NodeJS.Timeout | null = null;
  private readonly counted = { built: 0, failed: 0, slots: 0, busyMs: 0, refused: 0 };

  constructor(options: PastOptions) {
    const { source, states, log, settings, report } = options;
    this.options = options;
    this.thread = new PastThread({
      settings,
      onStopped: (reason) => this.onStopped(reason),
      ...options.thread,
    });
    const { thread } = this;
    this.kept = new KeptStates(thread, states, report);
    this.damaged = new DamagedCheckpoints(report);
    const { kept, damaged } = this;
    const onApplied = () => {
      this.counted.slots++;
    };
    this.parts = { source, states, log, thread, kept, damaged, onApplied };
  }

  get counts(): PastCounts {
    return this.counted;
  }

  /** Number of states that are being computed or wait to be. */
  get waiting(): number {
    return this.builds.size;
  }

  /** The slots that can be read now. */
  get answerable(): AnswerableSlots {
    return answerableSlots(this.options.source());
  }

  /**
   * Reads the state as of a slot. Rejects with ApiError 503 while it cannot be computed, and with
   * StoreError if the log cannot be read.
   */
  async read<Kind extends PastKind>(
    query: QueryOf<Kind>,
    slot: Slot,
  ): Promise<PastOutcome<PastAnswers[Kind]>> {
    const refused = this.refused(slot);
    if (refused !== null) return { kind: 'outside', slots: refused };
    this.touch();
    const state = this.kept.at(slot) ?? (await this.whenBuilt(slot));
    if (!('id' in state)) return { kind: 'outside', slots: state };
    try {
      const answer = await this.thread.call({ kind: 'read', state: state.id, query });
      return { kind: 'answered', answer: answer as AsOf<PastAnswers[Kind]> };
    } catch (error) {
      if (error instanceof PastError && error.isDamage) await this.kept.drop(state);
      if (!this.damaged.note(state, error)) throw toApiError(error);
      return await this.read(query, slot);
    }
  }

  onApplied({ slot }: Pick<SlotChanges, 'slot'>): void {
    this.kept.applied(slot);
    this.changed(slot);
  }

  onReverted({ slot }: Pick<SlotChanges, 'slot'>): void {
    this.kept.reverted(slot);
    this.changed(slot);
  }

  onReplaced(): void {
    this.kept.clear();
    this.damaged.clear();
    this.changed(-1);
  }

  /** Ends the thread. A later read starts another one. */
  async close(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const ended = this.thread.end();
    // Before another thread can be started.
    this.kept.forget();
    await ended;
  }

  /** The answerable slots if this is none of them. Throws ApiError 503 while that is not known. */
  private refused(slot: Slot): AnswerableSlots | null {
    const source = this.options.source();
    const { isRebuilding, storedAhead, changedFrom } = source;
    if (isRebuilding) throw new ApiError(503, REBUILDING);
    const slots = answerableSlots(source);
    const { first, newest } = slots;
    if (first === null || newest === null || slot < first) return slots;
    if (slot > newest) {
      if (storedAhead !== null && slot <= storedAhead) throw new ApiError(503, STARTING);
      return slots;
    }
    // The log has slots that the newest state does not have yet.
    if (changedFrom !== null && slot >= changedFrom) throw new ApiError(503, REFOLDING);
    return null;
  }

  private async whenBuilt(slot: Slot): Promise<KeptState | AnswerableSlots> {
    if (this.reads >= READS_MAX) this.refuse();
    this.reads++;
    try {
      return await this.built(slot);
    } finally {
      this.reads--;
    }
  }

  /** The computed state, or the answerable slots if it cannot be computed from anything. */
  private built(slot: Slot): Promise<KeptState | AnswerableSlots> {
    const known = this.builds.get(slot);
    if (known !== undefined) return known.outcome.promise;
    const { queue } = this;
    const accountId = currentAccount();
    if (queue.size >= WAITING_MAX || queue.countOf(accountId) >= WAITING_PER_ACCOUNT_MAX) {
      this.refuse();
    }
    const build: Build = { slot, outcome: Promise.withResolvers(), isStale: false };
    this.builds.set(slot, build);
    queue.push(accountId, build);
    // The work is shared by accounts.
    if (!this.isRunning) runForAccount(null, () => void this.run());
    return build.outcome.promise;
  }

  private refuse(): never {
    this.counted.refused++;
    throw new ApiError(503, TOO_MANY);
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.queue.take(); next !== null; next = this.queue.take()) {
      const build = next.item;
      this.running = build;
      const beginMs = performance.now();
      try {
        build.outcome.resolve(this.kept.at(build.slot) ?? (await this.compute(build)));
      } catch (error) {
        build.outcome.reject(toApiError(error));
        this.counted.failed++;
      }
      this.counted.busyMs += performance.now() - beginMs;
      this.running = null;
      this.builds.delete(build.slot);
      // Reads that waited are sent to the thread before it continues from the state.
      await nextTurn();
    }
    this.isRunning = false;
  }

  private async compute(build: Build): Promise<KeptState | AnswerableSlots> {
    const { slot } = build;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      build.isStale = false;
      const refused = this.refused(slot);
      if (refused !== null) return refused;
      const state = await computeState(slot, this.parts);
      if (state === null) return this.withoutStart();
      if (!build.isStale && this.isOfLog(slot)) {
        this.kept.keep(state);
        this.counted.built++;
        return state;
      }
      await this.kept.drop(state);
    }
    throw new ApiError(503, CHANGING);
  }

  /** Whether the log that was read is the one that the fold has applied. */
  private isOfLog(slot: Slot): boolean {
    const { changedFrom } = this.options.source();
    return changedFrom === null || slot < changedFrom;
  }

  /** What is answerable although the log has lost its start. */
  private withoutStart(): AnswerableSlots {
    const { checkpoints, newest } = this.options.source();
    return { first: checkpoints.at(-1) ?? newest, newest };
  }

  private changed(slot: number): void {
    const { running } = this;
    if (running !== null && slot <= running.slot) running.isStale = true;
  }

  private onStopped(reason: string): void {
    this.kept.forget();
    this.options.report(`The thread that computes earlier states has stopped: ${reason}.`);
  }

  private touch(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    const { idleMs = IDLE_MS } = this.options;
    this.idle = setTimeout(() => {
      if (this.isRunning || this.thread.isBusy) this.touch();
      else void this.close();
    }, idleMs).unref();
  }
}

function toApiError(error: unknown): unknown {
  return error instanceof PastError ? new ApiError(503, UNAVAILABLE, { cause: error }) : error;
}

const REBUILDING = 'The current state is being computed again: try again later.';
const STARTING = 'The service is starting and has not applied this slot yet: try again.';
const REFOLDING =
  'Slots have arrived late and the states after them are being computed again: try again later.';
const TOO_MANY = 'Too many states of earlier slots are being computed: try again.';
const CHANGING = 'The chain keeps replacing the slots of this state: try again.';
const UNAVAILABLE = 'The state as of this slot cannot be computed at the moment: try again later.';
