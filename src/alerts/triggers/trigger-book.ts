import type { PoolRecord } from '../../model/derived.ts';
import { type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import type { StoredTrigger } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { FIGURE_COUNT, roundFigures } from './condition.ts';
import { type OnTurn, WatchedPool } from './watched-pool.ts';

/** A trigger whose conditions just became true, and the figures that made them so. */
export interface Fired {
  readonly trigger: StoredTrigger;
  readonly figures: PoolFigures;
}

const NOBODY: OnTurn = () => undefined;

/**
 * The active triggers by pool. Whether one is true depends on its pool as it is now and on nothing
 * else; it fires when it becomes true, and what becomes true because a slot was taken back was told
 * before. A slot costs what it changed: pools without triggers cost one look-up.
 */
export class TriggerBook {
  private readonly byKey = new Map<number, StoredTrigger>();
  private readonly byPool = new Map<Address, WatchedPool>();
  private readonly rounded = new Float64Array(FIGURE_COUNT);

  get size(): number {
    return this.byKey.size;
  }

  /** How many pools are watched. */
  get poolCount(): number {
    return this.byPool.size;
  }

  /**
   * Watches a trigger, or one that replaces what was watched under its key. `pool` is its pool as it
   * is now, null while that was never seen. Returns what it fires at once.
   */
  put(trigger: StoredTrigger, pool: PoolRecord | null): Fired | null {
    this.remove(trigger.key);
    this.byKey.set(trigger.key, trigger);
    const watched = this.byPool.get(trigger.pool) ?? new WatchedPool();
    this.byPool.set(trigger.pool, watched);
    watched.add(trigger);
    if (pool === null) return null;
    const figures = this.figuresOf(pool);
    return watched.settle(trigger.key, figures, this.rounded) ? { trigger, figures } : null;
  }

  /** False when nothing is watched under the key. */
  remove(key: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    this.byKey.delete(key);
    const watched = this.byPool.get(trigger.pool);
    watched?.remove(key);
    if (watched?.size === 0) this.byPool.delete(trigger.pool);
    return true;
  }

  /** Whether any trigger is on a pool. */
  watches(pool: Address): boolean {
    return this.byPool.has(pool);
  }

  /** Of everything that is watched, in order of first sight. */
  keys(): Iterable<number> {
    return this.byKey.keys();
  }

  /** Whether a trigger is watched and its conditions are true now; in this revision, if one is given. */
  isTrue(key: number, revision?: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    if (revision !== undefined && revision !== trigger.revision) return false;
    return this.byPool.get(trigger.pool)?.isTrue(key) ?? false;
  }

  /**
   * Pools are others now. What fires, in order of pools and, within one, of their triggers' keys.
   * `onTurn` is told of these, and of those that are not true any more.
   */
  changed(pools: Iterable<PoolRecord>, onTurn: OnTurn = NOBODY): Fired[] {
    const fired: Fired[] = [];
    for (const pool of pools) {
      const watched = this.byPool.get(pool.pool);
      if (watched === undefined) continue;
      const figures = this.figuresOf(pool);
      watched.judge(figures, this.rounded, (trigger, isTrue) => {
        if (isTrue) fired.push({ trigger, figures });
        onTurn(trigger, isTrue);
      });
    }
    return fired;
  }

  /** Pools went back to what they were, null for one that had not been seen then. Nothing fires. */
  wentBack(
    pools: Iterable<readonly [pool: Address, record: PoolRecord | null]>,
    onTurn: OnTurn = NOBODY,
  ): void {
    for (const [pool, record] of pools) {
      const watched = this.byPool.get(pool);
      if (record === null) watched?.forget(onTurn);
      else watched?.judge(this.figuresOf(record), this.rounded, onTurn);
    }
  }

  /** Watched pools, in order of first sight. */
  pools(): Address[] {
    return [...this.byPool.keys()];
  }

  /** The figures, which are in `rounded` too from here on. */
  private figuresOf(pool: PoolRecord): PoolFigures {
    const figures = poolFiguresOf(pool);
    roundFigures(figures, this.rounded);
    return figures;
  }
}
