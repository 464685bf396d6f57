import type { PoolFigures } from '../../model/pool-figures.ts';
import {
  type StoredTrigger,
  useFindings,
  useMarketFigures,
  useWiderFigures,
} from '../../model/trigger.ts';
import type { BoundCondition } from './condition.ts';
import { bindConditions, ConditionTable } from './condition-table.ts';

interface Member {
  readonly trigger: StoredTrigger;
  /** Whether a condition uses figures of the table of the market. */
  readonly usesMarket: boolean;
  /** Null until a pool is seen, because its decimals are unknown until then. */
  conditions: readonly BoundCondition[] | null;
}

/** What triggers are evaluated against. */
export interface Judged {
  readonly figures: PoolFigures;
  /** The figures as `roundFigures` writes them. */
  readonly rounded: Float64Array;
  /** Whether the table of the market has the figures of the newest slot. */
  readonly isMarketComplete: boolean;
}

/** Called for each trigger that became true or false. */
export type OnTurn = (trigger: StoredTrigger, isTrue: boolean) => void;

/** The triggers on one pool or token, sorted by key, and whether each is true. */
export class WatchedTarget {
  private readonly members: Member[] = [];
  private readonly truths: boolean[] = [];
  /** Null until a pool is seen, and after the triggers changed. */
  private table: ConditionTable | null = null;
  /** Decimals that the conditions are bound to; null until a pool is seen. */
  private decimals: number | null = null;
  /** Number of triggers with such conditions. */
  private wider = 0;
  private ofMarket = 0;
  private ofFindings = 0;

  get size(): number {
    return this.members.length;
  }

  /** Whether a condition uses figures that the record of the pool does not have. */
  get usesWiderFigures(): boolean {
    return this.wider > 0;
  }

  /** Whether a condition uses figures of the table of the market. */
  get usesMarketFigures(): boolean {
    return this.ofMarket > 0;
  }

  /** Whether a condition depends on the findings of the token. */
  get usesFindings(): boolean {
    return this.ofFindings > 0;
  }

  /** Adds a trigger, initially false. Its key must not be present. */
  add(trigger: StoredTrigger): void {
    const place = this.placeOf(trigger.key);
    const isLast = place === this.members.length;
    this.count(trigger, 1);
    const usesMarket = useMarketFigures(trigger.conditions);
    this.members.splice(place, 0, { trigger, usesMarket, conditions: null });
    this.truths.splice(place, 0, false);
    if (!isLast || this.members.length === 1) this.table = null;
  }

  remove(key: number): void {
    const place = this.placeOf(key);
    const { trigger } = this.members[place] ?? {};
    if (trigger?.key !== key) return;
    this.count(trigger, -1);
    this.members.splice(place, 1);
    this.truths.splice(place, 1);
    this.table = null;
  }

  isTrue(key: number): boolean {
    return this.truths[this.placeOf(key)] ?? false;
  }

  /** Sets whether a trigger is true, without evaluating it. */
  adopt(key: number, isTrue: boolean): void {
    const place = this.placeOf(key);
    if (this.members[place]?.trigger.key === key) this.truths[place] = isTrue;
  }

  /**
   * Evaluates one trigger against the current figures, stores the result and returns it. A trigger
   * of the market keeps its state while the market is incomplete.
   */
  settle(key: number, { figures, rounded, isMarketComplete }: Judged): boolean {
    const place = this.placeOf(key);
    const member = this.members[place];
    if (member === undefined) return false;
    if (member.usesMarket && !isMarketComplete) return this.truths[place] ?? false;
    this.bindTo(figures);
    const table = new ConditionTable();
    table.add(bound(member, figures));
    const isTrue = table.isMet(0, rounded, figures);
    this.truths[place] = isTrue;
    return isTrue;
  }

  /**
   * Evaluates all triggers against the current figures. Calls `onTurn` in key order. Triggers of
   * the market keep their state while the market is incomplete.
   */
  judge({ figures, rounded, isMarketComplete }: Judged, onTurn: OnTurn): void {
    const table = this.tableFor(figures);
    const { truths } = this;
    const mayWait = this.ofMarket > 0 && !isMarketComplete;
    for (let place = 0; place < truths.length; place++) {
      if (mayWait && this.members[place]?.usesMarket === true) continue;
      const isTrue = table.isMet(place, rounded, figures);
      if (isTrue !== truths[place]) this.turn(place, isTrue, onTurn);
    }
  }

  /** Resets to the state before a pool was seen. */
  forget(onTurn: OnTurn): void {
    this.unbind();
    for (const place of this.members.keys()) {
      if (this.truths[place] === true) this.turn(place, false, onTurn);
    }
  }

  /** The next primary pool of a token may count its amounts with other decimals. */
  private bindTo({ tokenDecimals }: PoolFigures): void {
    if (this.decimals === tokenDecimals) return;
    this.unbind();
    this.decimals = tokenDecimals;
  }

  private unbind(): void {
    this.table = null;
    this.decimals = null;
    for (const member of this.members) member.conditions = null;
  }

  private count({ conditions }: StoredTrigger, change: 1 | -1): void {
    if (useWiderFigures(conditions)) this.wider += change;
    if (useMarketFigures(conditions)) this.ofMarket += change;
    if (useFindings(conditions)) this.ofFindings += change;
  }

  private turn(place: number, isTrue: boolean, onTurn: OnTurn): void {
    this.truths[place] = isTrue;
    const member = this.members[place];
    if (member !== undefined) onTurn(member.trigger, isTrue);
  }

  private tableFor(figures: PoolFigures): ConditionTable {
    this.bindTo(figures);
    this.table ??= new ConditionTable();
    for (let place = this.table.size; place < this.members.length; place++) {
      const member = this.members[place];
      if (member !== undefined) this.table.add(bound(member, figures));
    }
    return this.table;
  }

  /** The index of a key, or the index at which to insert it. */
  private placeOf(key: number): number {
    let from = 0;
    let to = this.members.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.members[middle]?.trigger.key ?? key) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function bound(member: Member, { tokenDecimals }: PoolFigures): readonly BoundCondition[] {
  member.conditions ??= bindConditions(member.trigger.conditions, tokenDecimals);
  return member.conditions;
}
