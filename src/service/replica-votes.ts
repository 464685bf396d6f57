import { Agreement, type AgreementStatus, type Vote } from '../cluster/agreement.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';
import { isStateFailure } from '../ingestion/state-failure.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { ReplicaAgreement } from '../model/replica-agreement.ts';
import type { Slot } from '../model/units.ts';
import type { ReplicaRebuilds } from './replica-rebuilds.ts';

type VotingIngestion = Pick<Ingestion, 'digest' | 'isRebuilding' | 'status' | 'engine'>;

export interface ReplicaVotesOptions {
  readonly ingestion: VotingIngestion;
  readonly name: string;
  readonly rules: string;
  /** Sequence of the last late step that was read. */
  readonly lateSeq: () => number;
  readonly send: (vote: Vote) => void;
  /** Decides what follows when a majority has another state. */
  readonly rebuilds: Pick<ReplicaRebuilds, 'agreed' | 'contradicted' | 'save' | 'standing'>;
  /** Called once, with a sentence, when a majority has another state. */
  readonly onMinority: (sentence: string) => void;
  readonly onNotice: (sentence: string) => void;
  readonly steadyNow: () => number;
}

/** Slots in quick succession are those of the past: one of these many is compared. */
const PAST_SLOTS_PER_VOTE = 16;
const LIVE_AFTER_MS = 50;

/**
 * Votes on the state after each slot once it is final, and compares it with the votes of others.
 * Abstains while late slots are not part of the state, because each replica applies them at a moment
 * of its own.
 */
export class ReplicaVotes {
  /** Listener to add to the fold, after those that change anything. */
  readonly listener: Partial<FoldListener>;
  private readonly options: ReplicaVotesOptions;
  private readonly agreement: Agreement;
  private readonly waiting = new Map<Slot, Vote>();
  private appliedMs = 0;
  private seen: string | null = null;
  private notified: AgreementStatus['state'] = 'alone';
  private spentMs = 0;
  private digests = 0;

  constructor(options: ReplicaVotesOptions) {
    this.options = options;
    this.agreement = new Agreement(options.name, options.rules);
    this.listener = {
      onReverted: ({ slot }: SlotChanges) => {
        this.waiting.delete(slot);
      },
      onReplaced: () => {
        this.waiting.clear();
        this.agreement.forgetOwn();
      },
      onStored: () => this.options.rebuilds.save(),
      onStep: () => this.step(),
    };
  }

  get status(): ReplicaAgreement {
    const { state, ...compared } = this.agreement.status;
    const { isStopped, ...standing } = this.options.rebuilds.standing;
    if (standing.contradictedSlot === null) return { ...compared, ...standing, state };
    return { ...compared, ...standing, state: isStopped ? 'minority' : 'rebuilding' };
  }

  /** Compares from here on a state that was computed again. */
  restart(): void {
    this.waiting.clear();
    this.agreement.restart();
    this.seen = null;
    this.notified = 'alone';
  }

  /** Time spent on digests, and their number, since the start. */
  get cost(): { readonly seconds: number; readonly digests: number } {
    return { seconds: this.spentMs / 1_000, digests: this.digests };
  }

  /** Takes a vote of any replica. */
  hear(vote: Vote): void {
    const before = this.agreement.status.agreedSlot;
    this.agreement.take(vote);
    const { state, slot, agreedSlot, others } = this.agreement.status;
    const { rebuilds } = this.options;
    if (agreedSlot !== null && agreedSlot !== before) rebuilds.agreed(agreedSlot);
    if (state === this.notified) return;
    this.notified = state;
    if (state === 'minority' && slot !== null) {
      this.options.onMinority(rebuilds.contradicted(slot, others));
    } else if (state === 'differing') this.options.onNotice(differing(this.agreement.status));
    else if (state === 'agreed') this.options.onNotice('this replica agrees with the others');
  }

  private step(): void {
    const { engine, status, isRebuilding } = this.options.ingestion;
    const { lastSlot: slot, lastBlockhash: blockhash } = engine;
    const point = `${slot} ${blockhash}`;
    if (slot !== null && blockhash !== null && point !== this.seen) {
      this.seen = point;
      // After a revert the newest slot is one that was seen before.
      const isNew = slot > (status.finalSlot ?? -1) && !this.waiting.has(slot);
      if (isNew && !status.isDirty && !isRebuilding && this.isCompared(slot)) {
        this.prepare(slot, blockhash);
      }
    }
    this.sendFinal(status.finalSlot);
  }

  private isCompared(slot: Slot): boolean {
    const nowMs = this.options.steadyNow();
    const isLive = nowMs - this.appliedMs >= LIVE_AFTER_MS;
    this.appliedMs = nowMs;
    return isLive || slot % PAST_SLOTS_PER_VOTE === 0;
  }

  private prepare(slot: Slot, blockhash: string): void {
    const { ingestion, name: replica, rules, lateSeq, steadyNow } = this.options;
    const startedMs = steadyNow();
    const state = digestOf(ingestion);
    this.spentMs += steadyNow() - startedMs;
    this.digests++;
    if (state === null || state.slot !== slot || state.blockhash !== blockhash) return;
    const { digest } = state;
    this.waiting.set(slot, { replica, rules, slot, blockhash, lateSeq: lateSeq(), digest });
  }

  private sendFinal(finalSlot: Slot | null): void {
    for (const [slot, vote] of this.waiting) {
      if (slot > (finalSlot ?? -1)) continue;
      this.waiting.delete(slot);
      this.hear(vote);
      this.options.send(vote);
    }
  }
}

/** Null while the state cannot be read: it is replaced then, and others vote. */
function digestOf(ingestion: VotingIngestion): ReturnType<VotingIngestion['digest']> {
  try {
    return ingestion.digest();
  } catch (error) {
    if (!isStateFailure(error)) throw error;
    return null;
  }
}

function differing({ slot, others }: AgreementStatus): string {
  const names = others.filter(({ isEqual }) => !isEqual).map(({ name }) => name);
  return `the state after slot ${slot} differs from that of ${names.join(', ')}, and there is no majority to decide: all go on answering; restore one of them from a backup that was checked, or add a third`;
}
