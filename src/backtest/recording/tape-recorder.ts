import type { PoolRecord } from '../../model/pool-record.ts';
import { CONTROL_MODEL } from '../../model/signal.ts';
import { asUsdNano, type PriceE18, type Slot } from '../../model/units.ts';
import { ageMs, marketCapOf } from '../../signals/features/features.ts';
import type { ModelReading, SignalModel } from '../../signals/features/signal-model.ts';
import { clusterVetoOf } from '../../signals/vetoes.ts';
import type { MinuteTape, TapeRow } from './minute-tape.ts';
import { PathBook } from './path-book.ts';
import { type TestedFeature, type TestedValues, textOf, valuesOf } from './tested-rule.ts';

/** What a slot changed, as the engine returns it. */
export interface RecordedSlot {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly pools: readonly PoolRecord[];
}

export interface ReadMinute {
  readonly reading: ModelReading;
  readonly values: TestedValues;
  /** The supply is not concentrated. */
  readonly isClear: boolean;
  /** As TapeRow. */
  readonly cutValues: TestedValues | null;
}

/**
 * Records the features of each minute inside an engine, and the states of pools afterwards. `model`
 * is to be the engine's only model; it never gives a signal. `endSlot` is called after each slot.
 */
export class TapeRecorder {
  readonly model: SignalModel;
  private readonly features: readonly TestedFeature[];
  private readonly fromMs: number;
  private readonly paths = new PathBook();
  private readonly rows: TapeRow[] = [];
  private read: ReadMinute[] = [];
  private startMs = 0;
  private endMs = 0;
  private firstSlot: Slot | null = null;
  private lastSlot: Slot | null = null;

  /** Minutes before `fromMs` are applied and not recorded. */
  constructor(features: readonly TestedFeature[], fromMs: number) {
    this.features = features;
    this.fromMs = fromMs;
    this.model = recordingModel((reading) => this.readMinute(reading));
  }

  /** After a slot was applied, with the price of SOL before and after it. */
  endSlot(slot: RecordedSlot, beforeUsd: PriceE18 | null, afterUsd: PriceE18 | null): void {
    for (const minute of this.read) this.addRow(minute, slot, beforeUsd);
    this.read = [];
    this.paths.note(slot.pools, slot.timeMs, afterUsd);
    if (slot.timeMs < this.fromMs) return;
    if (this.firstSlot === null) this.startMs = slot.timeMs;
    this.firstSlot ??= slot.slot;
    this.lastSlot = slot.slot;
    this.endMs = slot.timeMs;
  }

  /** Whether minutes were read since the end of the last slot. */
  get hasRead(): boolean {
    return this.read.length > 0;
  }

  /** The minutes that were read since then, which are not recorded. */
  takeRead(): readonly ReadMinute[] {
    const { read } = this;
    this.read = [];
    return read;
  }

  /** Keeps beside the minutes that were read what a cut log gave for them. */
  compareWith(cut: readonly ReadMinute[]): void {
    const byPool = new Map(cut.map(({ reading, values }) => [reading.facts.pool.pool, values]));
    this.read = this.read.map((minute) => {
      const cutValues = byPool.get(minute.reading.facts.pool.pool) ?? null;
      return { ...minute, cutValues: sameOr(minute.values, cutValues) };
    });
  }

  finish(): MinuteTape {
    const { rows, startMs, endMs, firstSlot, lastSlot } = this;
    return { rows, points: this.paths.points, startMs, endMs, firstSlot, lastSlot };
  }

  /** Called by the engine before anything of the slot after the minute is applied. */
  private readMinute(reading: ModelReading): void {
    if (reading.window.minuteMs < this.fromMs) return;
    const isClear = clusterVetoOf(reading.facts) === null;
    this.read.push({
      ...{ reading, isClear, cutValues: null },
      values: valuesOf(this.features, reading),
    });
  }

  private addRow(minute: ReadMinute, end: RecordedSlot, solUsd: PriceE18 | null): void {
    const { reading, values, cutValues, isClear } = minute;
    const { facts, window } = reading;
    const { pool, token, indicators } = facts;
    const capUsd = marketCapOf(facts);
    const { priceUsd, liquidityUsd } = pool;
    // As for signals, whose outcome could not be determined otherwise.
    const isKnown = capUsd !== null && priceUsd !== null && priceUsd > 0n && liquidityUsd !== null;
    const stateMs = indicators.createdAtMs ?? window.minuteMs;
    const canSignal = isClear && isKnown;
    this.rows.push({
      at: {
        ...{ mint: token.mint, pool: pool.pool, minuteMs: window.minuteMs },
        ...{ slot: end.slot, timeMs: end.timeMs },
      },
      canSignal,
      values,
      cutValues,
      ageMs: ageMs(facts),
      marketCapUsd: asUsdNano(capUsd ?? 0n),
      liquidityUsd: liquidityUsd ?? asUsdNano(0n),
      pointIndex: canSignal ? this.paths.follow(pool, stateMs, solUsd) : null,
    });
  }
}

/** `values` itself in the place of what equals it, so that equal values are kept once. */
function sameOr(values: TestedValues, cutValues: TestedValues | null): TestedValues | null {
  if (cutValues === null) return null;
  return Object.keys(values).every((name) => textOf(values[name]) === textOf(cutValues[name]))
    ? values
    : cutValues;
}

/** A model that reads and never passes: its only condition is on a value that is always unknown. */
export function recordingModel(read: (reading: ModelReading) => void): SignalModel {
  return {
    name: CONTROL_MODEL,
    card: { pattern: 'Reads every minute.', rationale: 'Backtests.', lookAlikes: ['None.'] },
    parameters: {
      version: 1,
      coolDownMinutes: 0,
      conditions: { never: { least: 0, most: null, reason: 'Always unknown.' } },
      hash: '',
    },
    measure: (reading) => {
      read(reading);
      return { never: null };
    },
  };
}
