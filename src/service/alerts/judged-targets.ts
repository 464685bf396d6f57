import type {
  FigureSources,
  Fired,
  TargetState,
  TriggerBook,
} from '../../alerts/triggers/trigger-book.ts';
import type { SlotChanges } from '../../model/derived.ts';
import { areOfCrossing, type TriggerTarget } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { stateOf, type TargetRecords } from './target-states.ts';

/** The changes of a slot that triggers are evaluated for. */
export type TriggerChanges = Pick<SlotChanges, 'slot' | 'pools'> &
  Partial<Pick<SlotChanges, 'tokens' | 'classifications'>>;

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
    const targets = this.changedBy(changes);
    const isComplete = this.isMarketComplete();
    const isFirst = isComplete && !this.isMarketJudged;
    this.isMarketJudged = isComplete;
    if (isFirst) targets.add(this.book.marketTargets());
    return this.statesOf(targets);
  }

  /** For a slot that was reverted. */
  ofReverted(changes: TriggerChanges): readonly TargetState[] {
    return this.statesOf(this.changedBy(changes));
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

  private changedBy({ pools, tokens = [], classifications = [] }: TriggerChanges): TargetSet {
    const { book } = this;
    const records = this.recordsNow();
    const targets = new TargetSet();
    for (const { pool, baseMint } of pools) {
      if (book.watches('pool', pool)) targets.add([{ kind: 'pool', address: pool }]);
      const isOfToken = book.watches('token', baseMint);
      if (isOfToken && records.token(baseMint)?.primaryPool === pool) {
        targets.add([{ kind: 'token', address: baseMint }]);
      }
    }
    for (const { mint } of tokens) {
      if (book.watches('token', mint)) targets.add([{ kind: 'token', address: mint }]);
    }
    if (classifications.length === 0) return targets;
    const mints = new Set(classifications.map(({ finding }) => finding.mint));
    targets.add(book.findingTargets().filter((one) => isOfMint(records, one, mints)));
    return targets;
  }

  private statesOf({ targets }: TargetSet): readonly TargetState[] {
    const records = this.recordsNow();
    return targets.map((target) => stateOf(records, target));
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

/** Targets in the order in which they were first added. */
class TargetSet {
  readonly targets: TriggerTarget[] = [];
  private readonly names = new Set<string>();

  add(targets: readonly TriggerTarget[]): void {
    for (const target of targets) {
      const name = `${target.kind} ${target.address}`;
      if (this.names.has(name)) continue;
      this.names.add(name);
      this.targets.push(target);
    }
  }
}
