import {
  planRebuild,
  REBUILDS_MAX,
  type RebuildPlan,
  recentRebuilds,
} from '../cluster/rebuild-plan.ts';
import type { IngestionHooks } from '../ingestion/ingestion-run.ts';
import type { StateTrust } from '../ingestion/state-trust.ts';
import { StoreError } from '../model/errors.ts';
import type { ComparedReplica, ReplicaAgreement } from '../model/replica-agreement.ts';
import type { Slot } from '../model/units.ts';
import type { ReplicaRecord, ReplicaRecordTable } from '../store/control/replica-record.ts';

export interface ReplicaRebuildsOptions {
  readonly trust: Pick<
    StateTrust,
    'epoch' | 'isLogWhole' | 'lastSharedSlot' | 'refoldAfter' | 'retained' | 'suspend'
  >;
  /** What is remembered in the data folder. */
  readonly record: Pick<ReplicaRecordTable, 'read' | 'write'>;
  readonly onNotice: (sentence: string) => void;
}

/** How a replica stands, apart from the newest comparison. */
export interface ReplicaStanding
  extends Pick<ReplicaAgreement, 'agreedSlot' | 'contradictedSlot' | 'rebuilds'> {
  /** It is contradicted, and its state is not computed again. */
  readonly isStopped: boolean;
}

/**
 * Makes a replica that a majority contradicts compute its state again, by itself: from the newest
 * checkpoint that can be trusted, as `planRebuild` decides. From the contradiction until it agrees
 * with the majority on a later slot, also over restarts, nothing is answered.
 */
export class ReplicaRebuilds {
  private readonly options: ReplicaRebuildsOptions;
  private recordNow: ReplicaRecord;
  private isSaved = true;
  private isStopped = false;
  /** It was contradicted and has not been followed again since. */
  private isLeft = false;
  private count = 0;

  constructor(options: ReplicaRebuildsOptions) {
    this.options = options;
    this.recordNow = options.record.read();
    const { contradicted } = this.recordNow;
    if (contradicted !== null) options.trust.suspend(unproven(contradicted.slot));
  }

  get standing(): ReplicaStanding {
    const { agreed, contradicted, rebuilds } = this.recordNow;
    const slot = contradicted?.slot ?? agreed?.slot ?? null;
    return {
      agreedSlot: agreed?.slot ?? null,
      contradictedSlot: contradicted?.slot ?? null,
      rebuilds: slot === null ? 0 : recentRebuilds(rebuilds, slot).length,
      isStopped: contradicted !== null && this.isStopped,
    };
  }

  /** States computed again since the start. */
  get total(): number {
    return this.count;
  }

  /** Whether `run` has something to do. */
  get isDue(): boolean {
    return this.due !== null;
  }

  /**
   * Whether what is followed ended with a contradiction and must be followed again: after `run`, or
   * as it is if the state was folded again meanwhile for another reason, such as a late slot.
   */
  get mustFollowAgain(): boolean {
    return this.isLeft && !this.isStopped;
  }

  /** A majority has the present state after a slot. */
  agreed(slot: Slot): void {
    const { trust, onNotice } = this.options;
    const { contradicted } = this.recordNow;
    const state = { epoch: trust.epoch, slot };
    const isProof = contradicted !== null && slot > contradicted.slot && !this.isDue;
    this.recordNow = { ...this.recordNow, agreed: state };
    this.isSaved = false;
    if (!isProof) return;
    this.keep({ ...this.recordNow, contradicted: null });
    trust.suspend(null);
    onNotice(`The state after slot ${slot} is that of most replicas: requests are answered again.`);
  }

  /** Stores the last agreement. Called now and then, since an earlier one does as well. */
  save(): void {
    if (!this.isSaved) this.keep(this.recordNow);
  }

  /** A majority has another state after a slot. Returns a sentence with what follows. */
  contradicted(slot: Slot, others: readonly ComparedReplica[]): string {
    const { trust } = this.options;
    const { agreed, rebuilds } = this.recordNow;
    const agreedSlot = agreed === null ? null : trust.lastSharedSlot(agreed);
    const checkpoints = trust.retained.map((state) => state.slot);
    const { isLogWhole } = trust;
    const plan = planRebuild({ slot, agreedSlot, checkpoints, isLogWhole, rebuilds });
    const contradicted = { epoch: trust.epoch, slot };
    this.isStopped = plan.kind !== 'rebuild';
    this.isLeft = true;
    this.keep({
      agreed,
      contradicted,
      rebuilds:
        plan.kind === 'rebuild'
          ? [...recentRebuilds(rebuilds, slot), { contradictedSlot: slot, fromSlot: plan.fromSlot }]
          : rebuilds,
    });
    const names = others.filter(({ isEqual }) => !isEqual).map(({ name }) => name);
    const sentence = `The state after slot ${slot} differs from that of most replicas (${names.join(', ')}): memory or disk of this machine are damaged, or its folder has another history. It answers no more requests${planInWords(plan, agreedSlot)}`;
    trust.suspend(sentence);
    return sentence;
  }

  /**
   * Computes the state again, if that is due. Nothing may be ingested meanwhile. Returns a sentence
   * if it cannot be; if aborted, the next start goes on.
   */
  async run(hooks: IngestionHooks): Promise<string | null> {
    const { due } = this;
    this.isLeft = false;
    if (due === null) return null;
    const { trust, onNotice } = this.options;
    try {
      await trust.refoldAfter(due.fromSlot, hooks);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.isStopped = true;
      const sentence = `The state cannot be computed again: ${error.message} ${RESTORE_FROM_OTHERS}`;
      trust.suspend(sentence);
      return sentence;
    }
    if (hooks.signal?.aborted === true) return null;
    this.count++;
    trust.suspend(unproven(due.contradictedSlot));
    onNotice(
      `The state was computed again ${beginning(due.fromSlot)}; it is compared from here on.`,
    );
    return null;
  }

  /**
   * The rebuild that was decided and is not done: the state still has a part of the contradicted one
   * that must be computed again. What a late slot makes fold again may begin after the damage.
   */
  private get due(): ReplicaRecord['rebuilds'][number] | null {
    const { contradicted, rebuilds } = this.recordNow;
    const last = rebuilds.at(-1);
    if (contradicted === null || this.isStopped) return null;
    if (last?.contradictedSlot !== contradicted.slot) return null;
    const shared = this.options.trust.lastSharedSlot(contradicted);
    return shared !== null && shared > (last.fromSlot ?? -1) ? last : null;
  }

  private keep(record: ReplicaRecord): void {
    this.recordNow = record;
    this.options.record.write(record);
    this.isSaved = true;
  }
}

const RESTORE_FROM_OTHERS =
  'Check memory and disk of this machine, restore its data folder from the backup of a replica that agrees with the others (`mintscope restore`), and start again.';

function planInWords(plan: RebuildPlan, agreedSlot: Slot | null): string {
  switch (plan.kind) {
    case 'rebuild': {
      const until = agreedSlot === null ? '' : `, since they agreed until slot ${agreedSlot}`;
      return `, computes its state again ${beginning(plan.fromSlot)}${until}, and answers once they agree on a later slot.`;
    }
    case 'exhausted':
      return `. Its state was computed again ${REBUILDS_MAX} times within a day and is not once more. ${RESTORE_FROM_OTHERS}`;
    case 'wrong-log':
      return `. Its whole log was applied again already and leads to the same, so that the log is damaged. ${RESTORE_FROM_OTHERS}`;
    case 'nothing-left':
      return `. It has no checkpoint from before, and its log does not begin with its first slot. ${RESTORE_FROM_OTHERS}`;
  }
}

function beginning(fromSlot: Slot | null): string {
  return fromSlot === null
    ? 'from the start of its log'
    : `from its checkpoint after slot ${fromSlot}`;
}

function unproven(slot: Slot): string {
  return `The state after slot ${slot} differed from that of most replicas: nothing is answered until they agree on a later slot.`;
}
