import {
  NO_WIDER_FIGURES,
  type PoolFigures,
  poolFiguresOf,
  type WiderFigures,
} from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { StoredTrigger } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { FIGURE_COUNT, roundFigures } from './condition.ts';
import { type OnTurn, WatchedPool } from './watched-pool.ts';

/** A trigger whose conditions just became true, with the figures at that moment. */
export interface Fired {
  readonly trigger: StoredTrigger;
  readonly figures: PoolFigures;
}

/** The current figures of a pool beside its record, read only where a condition uses them. */
export type WiderFiguresOf = (pool: PoolRecord) => WiderFigures;

const NO_LISTENER: OnTurn = () => undefined;

/**
 * The active triggers by pool. A trigger's truth depends only on the current state of its pool; it
 * fires when it becomes true. A trigger that becomes true because a slot was rolled back does not
 * fire: it fired before. The cost of a slot is proportional to its changed pools; a pool without
 * triggers costs one lookup.
 */
export class TriggerBook {
  private readonly byKey = new Map<number, StoredTrigger>();
  private readonly byPool = new Map<Address, WatchedPool>();
  private readonly rounded = new Float64Array(FIGURE_COUNT);

  private readonly widerOf: WiderFiguresOf;

  constructor(widerOf: WiderFiguresOf = () => NO_WIDER_FIGURES) {
    this.widerOf = widerOf;
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
    if (pool === null) return null;
    const figures = this.figuresOf(pool, watched);
    return watched.settle(trigger.key, figures, this.rounded) ? { trigger, figures } : null;
  }

  /** Returns false when no trigger has the key. */
  remove(key: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    this.byKey.delete(key);
    const watched = this.byPool.get(trigger.pool);
    watched?.remove(key);
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
      const figures = this.figuresOf(pool, watched);
      watched.judge(figures, this.rounded, (trigger, isTrue) => {
        if (isTrue) fired.push({ trigger, figures });
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
      else watched?.judge(this.figuresOf(record, watched), this.rounded, onTurn);
    }
  }

  /** Watched pools, in insertion order. */
  pools(): Address[] {
    return [...this.byPool.keys()];
  }

  /** Returns the figures and also writes them to `rounded`. */
  private figuresOf(pool: PoolRecord, watched: WatchedPool): PoolFigures {
    const wider = watched.usesWiderFigures ? this.widerOf(pool) : NO_WIDER_FIGURES;
    const figures = poolFiguresOf(pool, wider);
    roundFigures(figures, this.rounded);
    return figures;
  }
}
