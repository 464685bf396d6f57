import type {
  FigureSources,
  Fired,
  TargetState,
  TriggerBook,
} from '../../alerts/triggers/trigger-book.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { areOfCrossing, type TriggerTarget } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { stateOf, type TargetRecords } from './target-states.ts';

/** The changes of a slot that triggers are evaluated for. */
export type TriggerChanges = Pick<SlotChanges, 'slot' | 'pools'> &
  Partial<Pick<SlotChanges, 'tokens' | 'classifications' | 'ruleHits'>>;

type Watched = Pick<TriggerBook, 'watches' | 'findingTargets' | 'marketTargets' | 'isWaiting'>;

/**
 * The targets whose triggers a slot may have changed: pools that it changed; tokens whose record,
 * which names the primary pool, or whose primary pool it changed; those with triggers on findings of
 * a token whose findings it changed; and, with the first slot after the table of the market is
 * complete, those whose triggers waited for it.
 */
export class JudgedTargets {
  private readonly book: Watched;
  private readonly recordsNow: () => TargetRecords;
  private readonly isMarketComplete: () => boolean;
  /** Whether all triggers were evaluated with the table of the market. */
  private isMarketJudged: boolean;
  /** Keys of triggers set while they could not be evaluated. */
  private readonly unjudged = new Set<number>();

  constructor(
    book: Watched,
    recordsNow: () => TargetRecords,
    { isMarketComplete }: Pick<FigureSources, 'isMarketComplete'>,
  ) {
    this.book = book;
    this.recordsNow = recordsNow;
    this.isMarketComplete = isMarketComplete;
    this.isMarketJudged = isMarketComplete();
  }

  /** For a slot that was applied. */
  ofApplied(changes: TriggerChanges): readonly TargetState[] {
    const records = this.recordsNow();
    const changed = this.changedBy(changes, records);
    const isComplete = this.isMarketComplete();
    const isFirst = isComplete && !this.isMarketJudged;
    this.isMarketJudged = isComplete;
    if (isFirst) for (const target of this.book.marketTargets()) changed.add(target);
    return changed.all.map(({ target, pool }) =>
      pool === null ? stateOf(records, target) : { target, pool },
    );
  }

  /** For a slot that was reverted. */
  ofReverted(changes: TriggerChanges): readonly TargetState[] {
    const records = this.recordsNow();
    // The records of the slot are those before it was reverted.
    return this.changedBy(changes, records).all.map(({ target }) => stateOf(records, target));
  }

  /** The table of the market may be filled anew. */
  replaced(): void {
    this.isMarketJudged = this.isMarketComplete();
  }

  /** A trigger was added or changed. */
  wasSet(key: number): void {
    if (this.book.isWaiting(key)) this.unjudged.add(key);
    else this.unjudged.delete(key);
  }

  /**
   * The triggers that fire of those that became true. A crossing does not in its first evaluation:
   * its figure may have been there when it was set.
   */
  due(risen: readonly Fired[]): readonly Fired[] {
    if (this.unjudged.size === 0) return risen;
    const due = risen.filter(
      ({ trigger: { key, conditions } }) => !(this.unjudged.has(key) && areOfCrossing(conditions)),
    );
    if (this.isMarketJudged) this.unjudged.clear();
    return due;
  }

  private changedBy(changes: TriggerChanges, records: TargetRecords): ChangedTargets {
    const { book } = this;
    const { pools, tokens = [], classifications = [] } = changes;
    const changed = new ChangedTargets();
    for (const pool of pools) {
      const { pool: address, baseMint } = pool;
      if (book.watches('pool', address)) changed.add({ kind: 'pool', address }, pool);
      const isOfToken = book.watches('token', baseMint);
      if (isOfToken && records.token(baseMint)?.primaryPool === address) {
        changed.add({ kind: 'token', address: baseMint }, pool);
      }
    }
    for (const { mint } of tokens) {
      if (book.watches('token', mint)) changed.add({ kind: 'token', address: mint });
    }
    if (classifications.length === 0) return changed;
    const mints = new Set(classifications.map(({ finding }) => finding.mint));
    for (const target of book.findingTargets()) {
      if (isOfMint(records, target, mints)) changed.add(target);
    }
    return changed;
  }
}

function isOfMint(
  records: TargetRecords,
  { kind, address }: TriggerTarget,
  mints: ReadonlySet<Address>,
): boolean {
  if (kind === 'token') return mints.has(address);
  const pool = records.pool(address);
  return pool !== null && mints.has(pool.baseMint);
}

interface ChangedTarget {
  readonly target: TriggerTarget;
  /** The record of its pool, if the slot changed it. */
  readonly pool: PoolRecord | null;
}

/** Targets in the order in which they were first added. */
class ChangedTargets {
  readonly all: ChangedTarget[] = [];
  private readonly names = new Set<string>();

  add(target: TriggerTarget, pool: PoolRecord | null = null): void {
    const name = `${target.kind} ${target.address}`;
    if (this.names.has(name)) return;
    this.names.add(name);
    this.all.push({ target, pool });
  }
}
