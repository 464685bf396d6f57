import type { FigureSources, Fired, TriggerBook } from '../../alerts/triggers/trigger-book.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { areOfCrossing } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';

/** The changes of a slot that triggers are evaluated for. */
export type TriggerChanges = Pick<SlotChanges, 'slot' | 'pools'> &
  Partial<Pick<SlotChanges, 'classifications'>>;

type Watched = Pick<TriggerBook, 'findingPools' | 'marketPools' | 'isWaiting'>;

/**
 * The pools whose triggers a slot may have changed: those it changed, those with triggers on
 * findings of a token whose findings it changed, and, with the first slot after the table of the
 * market is complete, those whose triggers waited for it.
 */
export class JudgedPools {
  private readonly book: Watched;
  private readonly poolOf: (pool: Address) => PoolRecord | null;
  private readonly isMarketComplete: () => boolean;
  /** Whether all triggers were evaluated with the table of the market. */
  private isMarketJudged: boolean;
  /** Keys of triggers set while they could not be evaluated. */
  private readonly unjudged = new Set<number>();

  constructor(
    book: Watched,
    poolOf: (pool: Address) => PoolRecord | null,
    { isMarketComplete }: Pick<FigureSources, 'isMarketComplete'>,
  ) {
    this.book = book;
    this.poolOf = poolOf;
    this.isMarketComplete = isMarketComplete;
    this.isMarketJudged = isMarketComplete();
  }

  /** For a slot that was applied. */
  ofApplied(changes: TriggerChanges): readonly PoolRecord[] {
    const pools = this.ofReverted(changes);
    const isComplete = this.isMarketComplete();
    const isFirst = isComplete && !this.isMarketJudged;
    this.isMarketJudged = isComplete;
    return isFirst ? withOthers(pools, this.book.marketPools(), this.poolOf) : pools;
  }

  /** For a slot that was reverted. */
  ofReverted({ pools, classifications = [] }: TriggerChanges): readonly PoolRecord[] {
    if (classifications.length === 0) return pools;
    const mints = new Set(classifications.map(({ finding }) => finding.mint));
    return withOthers(pools, this.book.findingPools(), (pool) => {
      const record = this.poolOf(pool);
      return record !== null && mints.has(record.baseMint) ? record : null;
    });
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
}

function withOthers(
  pools: readonly PoolRecord[],
  others: Iterable<Address>,
  recordOf: (pool: Address) => PoolRecord | null,
): readonly PoolRecord[] {
  const known = new Set(pools.map(({ pool }) => pool));
  const added = [...others].flatMap((pool) => (known.has(pool) ? [] : (recordOf(pool) ?? [])));
  return [...pools, ...added];
}
