import {
  NO_WIDER_FIGURES,
  type PoolFigures,
  poolFiguresOf,
  type WiderFigures,
} from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import {
  type StoredTrigger,
  type TargetKind,
  type TriggerTarget,
  useMarketFigures,
} from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { FIGURE_COUNT, roundFigures } from './condition.ts';
import { CrossingSides } from './crossing-sides.ts';
import { type Judged, type OnTurn, WatchedTarget } from './watched-target.ts';

/** A trigger whose conditions just became true, with the figures at that moment. */
export interface Fired {
  readonly trigger: StoredTrigger;
  readonly figures: PoolFigures;
}

/** A target at a time. */
export interface TargetState {
  readonly target: TriggerTarget;
  /** The pool, or the primary pool of the token; null while it is unknown. */
  readonly pool: PoolRecord | null;
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

type ByKind<Value> = Readonly<Record<TargetKind, Value>>;

/**
 * The active triggers by target. A trigger's truth depends only on the current state of its pool, or
 * of the primary pool of its token, and of the table of the market: while that is incomplete,
 * triggers that use it keep their truth. A trigger fires when it becomes true; one that combines
 * crossings with other conditions only in the slot of a crossing. A trigger that becomes true because a slot was rolled back does not fire: it fired before. The cost of a slot is
 * proportional to its changed targets.
 */
export class TriggerBook {
  private readonly byKey = new Map<number, StoredTrigger>();
  private readonly watched: ByKind<Map<Address, WatchedTarget>> = {
    pool: new Map(),
    token: new Map(),
  };
  /** Addresses of targets with triggers that depend on findings. */
  private readonly ofFindings: ByKind<Set<Address>> = { pool: new Set(), token: new Set() };
  private readonly rounded = new Float64Array(FIGURE_COUNT);
  private readonly sides = new WeakMap<WatchedTarget, CrossingSides>();
  private readonly sources: FigureSources;

  constructor(sources: FigureSources = NO_SOURCES) {
    this.sources = sources;
  }

  get size(): number {
    return this.byKey.size;
  }

  /**
   * Adds a trigger, replacing one with the same key. `pool` is that of the current state of its
   * target. Returns the firing if the conditions are already true.
   */
  put(trigger: StoredTrigger, pool: PoolRecord | null): Fired | null {
    this.remove(trigger.key);
    this.byKey.set(trigger.key, trigger);
    const { kind, address } = trigger.target;
    const watched = this.watched[kind].get(address) ?? new WatchedTarget();
    this.watched[kind].set(address, watched);
    watched.add(trigger);
    if (watched.usesFindings) this.ofFindings[kind].add(address);
    const sides = this.sides.get(watched) ?? new CrossingSides();
    this.sides.set(watched, sides);
    if (pool === null) {
      sides.add(trigger, { figures: null, isMarketComplete: true });
      return null;
    }
    const judged = this.judged(pool, watched);
    sides.add(trigger, judged);
    return watched.settle(trigger.key, judged) ? { trigger, figures: judged.figures } : null;
  }

  /** Returns false when no trigger has the key. */
  remove(key: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    this.byKey.delete(key);
    const { kind, address } = trigger.target;
    const watched = this.watched[kind].get(address);
    watched?.remove(key);
    if (watched !== undefined) this.sides.get(watched)?.remove(key);
    if (watched?.usesFindings !== true) this.ofFindings[kind].delete(address);
    if (watched?.size === 0) this.watched[kind].delete(address);
    return true;
  }

  /** Whether a pool or token has triggers. */
  watches(kind: TargetKind, address: Address): boolean {
    return this.watched[kind].has(address);
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
    if (trigger !== undefined) this.watchedBy(trigger)?.adopt(key, isTrue);
  }

  /** Watched targets: pools, then tokens, each in insertion order. */
  targets(): TriggerTarget[] {
    return [...targetsOf('pool', this.watched), ...targetsOf('token', this.watched)];
  }

  /** Watched targets with triggers that use the table of the market. */
  marketTargets(): TriggerTarget[] {
    return this.targets().filter(
      ({ kind, address }) => this.watched[kind].get(address)?.usesMarketFigures === true,
    );
  }

  /** Watched targets with triggers that depend on findings. */
  findingTargets(): TriggerTarget[] {
    return [...targetsOf('pool', this.ofFindings), ...targetsOf('token', this.ofFindings)];
  }

  /** Whether the trigger exists, in `revision` if given, and its conditions are currently true. */
  isTrue(key: number, revision?: number): boolean {
    const trigger = this.byKey.get(key);
    if (trigger === undefined) return false;
    if (revision !== undefined && revision !== trigger.revision) return false;
    return this.watchedBy(trigger)?.isTrue(key) ?? false;
  }

  /**
   * Applies changed targets. Returns the triggers that fire, in the order of the targets and, within
   * a target, of the trigger keys. `onTurn` is called for these and for triggers that became false.
   */
  changed(states: Iterable<TargetState>, onTurn: OnTurn = NO_LISTENER): Fired[] {
    const fired: Fired[] = [];
    for (const state of states) {
      this.judge(state, (trigger, isTrue, figures) => {
        if (figures !== null && isTrue) fired.push({ trigger, figures });
        onTurn(trigger, isTrue);
      });
    }
    return fired;
  }

  /** Restores earlier states of targets. Nothing fires. */
  wentBack(states: Iterable<TargetState>, onTurn: OnTurn = NO_LISTENER): void {
    for (const state of states) this.judge(state, onTurn);
  }

  /**
   * Nothing is true of a target without a pool; its figures are null. They also are for a trigger
   * that becomes true without the crossing that is one of its conditions.
   */
  private judge(
    { target, pool }: TargetState,
    onTurn: (trigger: StoredTrigger, isTrue: boolean, figures: PoolFigures | null) => void,
  ): void {
    const watched = this.watched[target.kind].get(target.address);
    if (watched === undefined) return;
    const sides = this.sides.get(watched);
    if (pool === null) {
      sides?.judge({ figures: null, isMarketComplete: true });
      watched.forget((trigger, isTrue) => onTurn(trigger, isTrue, null));
      return;
    }
    const judged = this.judged(pool, watched);
    const uncrossed = sides?.judge(judged);
    watched.judge(judged, (trigger, isTrue) =>
      onTurn(trigger, isTrue, uncrossed?.has(trigger.key) ? null : judged.figures),
    );
  }

  private watchedBy({ target }: StoredTrigger): WatchedTarget | undefined {
    return this.watched[target.kind].get(target.address);
  }

  /** Also writes the figures to `rounded`. */
  private judged(pool: PoolRecord, watched: WatchedTarget): Judged {
    const { widerOf, isMarketComplete } = this.sources;
    const wider = watched.usesWiderFigures ? widerOf(pool) : NO_WIDER_FIGURES;
    const figures = poolFiguresOf(pool, wider);
    roundFigures(figures, this.rounded);
    const isComplete = !watched.usesMarketFigures || isMarketComplete();
    return { figures, rounded: this.rounded, isMarketComplete: isComplete };
  }
}

function targetsOf(
  kind: TargetKind,
  addresses: ByKind<{ keys(): Iterable<Address> }>,
): TriggerTarget[] {
  return [...addresses[kind].keys()].map((address) => ({ kind, address }));
}
