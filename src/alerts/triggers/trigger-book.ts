import {
  NO_WIDER_FIGURES,
  type PoolFigures,
  poolFiguresOf,
  type WiderFigures,
} from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { type StoredTrigger, useMarketFigures } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { FIGURE_COUNT, roundFigures } from './condition.ts';
import { type Judged, type OnTurn, WatchedPool } from './watched-pool.ts';

/** A trigger whose conditions just became true, with the figures at that moment. */
export interface Fired {
  readonly trigger: StoredTrigger;
  readonly figures: PoolFigures;
}

/** The current figures of a pool beside its record, read only where a condition uses them. */
export type WiderFiguresOf = (pool: PoolRecord) => WiderFigures;

/** Where a book reads figures that records of pools do not have. */
export interface FigureSources {
  readonly widerOf: WiderFiguresOf;
  /** Whether the table of the market has the figures of the newest slot. */
  readonly isMarketComplete: () => boolean;
}

export const NO_SOURCES: FigureSources = {
  widerOf: () => NO_WIDER_FIGURES,
  isMarketComplete: () => true,
};

const NO_LISTENER: OnTurn = () => undefined;

/**
 * The active triggers by pool. A trigger's truth depends only on the current state of its pool and
 * of the table of the market: while that is incomplete, triggers that use it keep their truth. A
 * trigger fires when it becomes true. A trigger that becomes true because a slot was rolled back does not
 * fire: it fired before. The cost of a slot is proportional to its changed pools; a pool without
 * triggers costs one lookup.
 */
export class TriggerBook {
  private readonly byKey = new Map<number, StoredTrigger>();
  private readonly byPool = new Map<Address, WatchedPool>();
  /** Watched pools with triggers that depend on findings. */
  private readonly ofFindings = new Set<Address>();
  private readonly rounded = new Float64Array(FIGURE_COUNT);

  private readonly sources: FigureSources;

  constructor(sources: FigureSources = NO_SOURCES) {
    this.sources = sources;
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Number of watched pools. */
  get poolCount(): number {
    return this.byPool.size;
  }

  /**
   * Adds a trigger, replacing one with the same key. `pool` is the current state of its pool, null
   * if the pool was never seen. Returns the firing if the conditions are already true.
   */
  put(trigger: StoredTrigger, pool: PoolRecord | null): Fired | null {
    this.remove(trigger.key);
    this.byKey.set(trigger.key, trigger);
    const watched = this.byPool.get(trigger.pool) ?? new WatchedPool();
    this.byPool.set(trigger.pool, watched);
    watched.add(trigger);
    if (watched.usesFindings) this.ofFindings.add(trigger.pool);
    if (pool === null) return null;
    const judged = this.judged(pool, watched);
    return watched.settle(trigger.key, judged) ? { trigger, figures: judged.figures } : null;
  }

  /** Returns false when no trigger has the key. */
  remove(key: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    this.byKey.delete(key);
    const watched = this.byPool.get(trigger.pool);
    watched?.remove(key);
    if (watched?.usesFindings !== true) this.ofFindings.delete(trigger.pool);
    if (watched?.size === 0) this.byPool.delete(trigger.pool);
    return true;
  }

  /** Whether a pool has triggers. */
  watches(pool: Address): boolean {
    return this.byPool.has(pool);
  }

  /** Keys of all triggers, in insertion order. */
  keys(): Iterable<number> {
    return this.byKey.keys();
  }

  /** Whether the trigger keeps its truth until the table of the market is complete. */
  isWaiting(key: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined || this.sources.isMarketComplete()) return false;
    return useMarketFigures(trigger.conditions);
  }

  /** Sets the truth of a trigger that waits, which it had before. */
  adopt(key: number, isTrue: boolean): void {
    const trigger = this.byKey.get(key);
    if (trigger !== undefined) this.byPool.get(trigger.pool)?.adopt(key, isTrue);
  }

  /** Watched pools with triggers that use the table of the market. */
  marketPools(): Address[] {
    return this.pools().filter((pool) => this.byPool.get(pool)?.usesMarketFigures === true);
  }

  /** Watched pools with triggers that depend on findings. */
  findingPools(): Iterable<Address> {
    return this.ofFindings;
  }

  /** Whether the trigger exists, in `revision` if given, and its conditions are currently true. */
  isTrue(key: number, revision?: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    if (revision !== undefined && revision !== trigger.revision) return false;
    return this.byPool.get(trigger.pool)?.isTrue(key) ?? false;
  }

  /**
   * Applies changed pools. Returns the triggers that fire, in the order of the pools and, within a
   * pool, of the trigger keys. `onTurn` is called for these and for triggers that became false.
   */
  changed(pools: Iterable<PoolRecord>, onTurn: OnTurn = NO_LISTENER): Fired[] {
    const fired: Fired[] = [];
    for (const pool of pools) {
      const watched = this.byPool.get(pool.pool);
      if (watched === undefined) continue;
      const judged = this.judged(pool, watched);
      watched.judge(judged, (trigger, isTrue) => {
        if (isTrue) fired.push({ trigger, figures: judged.figures });
        onTurn(trigger, isTrue);
      });
    }
    return fired;
  }

  /** Restores earlier pool states; null for a pool that was not yet seen then. Nothing fires. */
  wentBack(
    pools: Iterable<readonly [pool: Address, record: PoolRecord | null]>,
    onTurn: OnTurn = NO_LISTENER,
  ): void {
    for (const [pool, record] of pools) {
      const watched = this.byPool.get(pool);
      if (record === null) watched?.forget(onTurn);
      else watched?.judge(this.judged(record, watched), onTurn);
    }
  }

  /** Watched pools, in insertion order. */
  pools(): Address[] {
    return [...this.byPool.keys()];
  }

  /** Also writes the figures to `rounded`. */
  private judged(pool: PoolRecord, watched: WatchedPool): Judged {
    const { widerOf, isMarketComplete } = this.sources;
    const wider = watched.usesWiderFigures ? widerOf(pool) : NO_WIDER_FIGURES;
    const figures = poolFiguresOf(pool, wider);
    roundFigures(figures, this.rounded);
    const isComplete = !watched.usesMarketFigures || isMarketComplete();
    return { figures, rounded: this.rounded, isMarketComplete: isComplete };
  }
}
