import type { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { PairTimes } from './pair-times.ts';

const HOUR_MS = 3_600_000;
/** The pair of a rule and no token counts the hits of an hour. */
const NO_TOKEN = 0;

/** Whose hits are kept apart: a rule, or an installed detector with a number beyond those of rules. */
export interface TimedAuthor {
  readonly number: number;
  readonly rule: { readonly coolDownMs: number };
}

/** Numbers hits, and keeps those of a rule apart: by token, and by hour where that is bounded. */
export class HitTimes {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  /** By rule and mint. */
  private readonly coolDowns: PairTimes;
  /** By rule; `step` is the number of hits of the hour that ends at `untilMs`. */
  private readonly hours: PairTimes;
  private readonly progress: StateValue<{ hits: number }>;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.undo = undo;
    this.ids = ids;
    this.coolDowns = new PairTimes(undo, 'rule cool-downs');
    this.hours = new PairTimes(undo, 'rule hits by hour');
    this.progress = new StateValue({ hits: 0 }, undo, 'rule hits');
  }

  isCooling({ number }: TimedAuthor, mint: Address, nowMs: number): boolean {
    const cooling = this.coolDowns.get(number, this.ids.find(mint));
    return cooling !== null && nowMs < cooling.untilMs;
  }

  /** Whether a rule had this many hits in the hour of a time already. */
  isFull({ number }: TimedAuthor, hitsMax: number, nowMs: number): boolean {
    const hour = this.hours.get(number, NO_TOKEN);
    return hour !== null && nowMs < hour.untilMs && hour.step >= hitsMax;
  }

  /** Counts a hit towards the hour. */
  countInHour({ number }: TimedAuthor, nowMs: number): void {
    const hour = this.hours.get(number, NO_TOKEN);
    const isSame = hour !== null && nowMs < hour.untilMs;
    this.hours.set(number, NO_TOKEN, {
      step: (isSame ? hour.step : 0) + 1,
      untilMs: nowMs - (nowMs % HOUR_MS) + HOUR_MS,
    });
  }

  /** Begins the cool-down of a rule for a token. Returns the number of the hit. */
  add({ number, rule }: TimedAuthor, mint: Address, nowMs: number): number {
    const { now } = this.progress;
    this.undo.keep(now);
    now.hits++;
    this.coolDowns.set(number, this.ids.idOf(mint), {
      step: 0,
      untilMs: nowMs + rule.coolDownMs,
    });
    return now.hits;
  }

  /** Drops what ended before a time; everything of a rule for infinity. */
  dropBefore(rule: number, beforeMs: number): void {
    this.coolDowns.dropBefore(rule, beforeMs);
    this.hours.dropBefore(rule, beforeMs);
  }
}
