import { HashDraws } from '../../lib/hash-draws.ts';
import type { BacktestHit, BacktestOptions } from '../../model/backtest.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { CONTROL_MODEL } from '../../model/signal.ts';
import type { Address, PriceE18, Slot, UsdNano } from '../../model/units.ts';
import { ageMs, marketCapOf } from '../../signals/features/features.ts';
import type { ModelReading, SignalModel } from '../../signals/features/signal-model.ts';
import { clusterVetoOf } from '../../signals/vetoes.ts';
import type { HitWithPath } from '../worth/traded-hits.ts';
import { PathBook, type PathStart } from './path-book.ts';
import {
  featuresOf,
  type RuleJudge,
  type TestedFeature,
  type TestedRule,
  type TestedValues,
  valuesOf,
} from './tested-rule.ts';

/** The price of SOL in the state, for fills. */
export interface SolPrice {
  readonly solUsd: PriceE18 | null;
}

/** What a slot changed, as the engine returns it. */
export interface RecordedSlot {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly pools: readonly PoolRecord[];
}

/** A minute at whose end a rule passed, or that was drawn for comparison. */
interface Recorded extends Pick<HitWithPath, 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly hit: BacktestHit;
  readonly values: TestedValues;
  readonly start: PathStart | null;
}

/** A hit with the values that its rule was judged on. */
export interface RecordedHit extends HitWithPath {
  readonly values: TestedValues;
}

export interface Recording {
  /** By rule, in order of time, with cool-downs kept. */
  readonly hits: readonly (readonly RecordedHit[])[];
  readonly controls: readonly HitWithPath[];
  /** Minutes of pools that were judged in the range. */
  readonly minutes: number;
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
}

interface Pending {
  readonly reading: ModelReading;
  readonly values: TestedValues;
  readonly passed: readonly boolean[];
  readonly isControl: boolean;
}

/**
 * Judges rules at the end of each minute as the fold does, inside an engine, and keeps the hits and
 * the states of their pools afterwards. `model` is to be the engine's only model; it never gives a
 * signal. Order of calls: `beginSlot`, the engine's `apply`, `endSlot`.
 */
export class RuleRecorder {
  readonly model: SignalModel;
  private readonly rules: readonly TestedRule[];
  private readonly features: readonly TestedFeature[];
  private readonly judges: readonly RuleJudge[];
  private readonly options: BacktestOptions;
  private readonly paths = new PathBook();
  private readonly hits: Recorded[][];
  private readonly controls: Recorded[] = [];
  private readonly coolUntil: readonly Map<Address, number>[];
  private pending: Pending[] = [];
  private minutes = 0;
  private firstSlot: Slot | null = null;
  private lastSlot: Slot | null = null;
  private lastMs = 0;

  constructor(rules: readonly TestedRule[], options: BacktestOptions) {
    this.rules = rules;
    this.options = options;
    this.features = featuresOf(rules);
    this.judges = rules.map((rule) => rule.begin());
    this.hits = rules.map(() => []);
    this.coolUntil = rules.map(() => new Map());
    this.model = recordingModel((reading) => this.read(reading));
  }

  /** Before a slot is applied, with the price of SOL of then. */
  beginSlot(): void {
    this.pending = [];
  }

  /** After a slot was applied. `before` is the price of SOL before it. */
  endSlot(slot: RecordedSlot, before: SolPrice, after: SolPrice): void {
    const { fromMs, toMs } = this.options;
    for (const pending of this.pending) this.settle(pending, slot, before);
    this.paths.note(slot.pools, slot.timeMs, after.solUsd);
    this.lastMs = slot.timeMs;
    if (slot.timeMs < fromMs || slot.timeMs >= toMs) return;
    this.firstSlot ??= slot.slot;
    this.lastSlot = slot.slot;
  }

  finish(): Recording {
    const withPath = ({ start, ...recorded }: Recorded): RecordedHit => ({
      ...recorded,
      path: start === null ? null : this.paths.pathOf(start, this.lastMs),
    });
    const { minutes, firstSlot, lastSlot } = this;
    return {
      hits: this.hits.map((hits) => hits.map(withPath)),
      controls: this.controls.map(withPath),
      ...{ minutes, firstSlot, lastSlot },
    };
  }

  /** Called by the engine before anything of the slot after the minute is applied. */
  private read(reading: ModelReading): void {
    const { window, facts } = reading;
    const { minuteMs } = window;
    const { pool } = facts.pool;
    const { fromMs, toMs, controlShare } = this.options;
    const values = valuesOf(this.features, reading);
    // Rules with a memory are judged before the range, too.
    const passed = this.judges.map((judge) => judge(values, pool, minuteMs));
    if (minuteMs < fromMs || minuteMs >= toMs) return;
    this.minutes++;
    const draw = new HashDraws(`backtest control ${pool} ${minuteMs}`).unit();
    const isControl = draw < controlShare;
    if (!isControl && !passed.includes(true)) return;
    if (clusterVetoOf(facts) !== null) return;
    this.pending.push({ reading, values, passed, isControl });
  }

  private settle(pending: Pending, end: RecordedSlot, before: SolPrice): void {
    const { reading, values, passed, isControl } = pending;
    const { facts, window } = reading;
    const { pool, token } = facts;
    const capUsd = marketCapOf(facts);
    const { priceUsd, liquidityUsd } = pool;
    // As for signals: the outcome could not be determined.
    if (capUsd === null || priceUsd === null || priceUsd === 0n || liquidityUsd === null) return;
    const hitting = passed.flatMap((is, at) =>
      is && this.isCool(at, token.mint, end) ? [at] : [],
    );
    if (!isControl && hitting.length === 0) return;
    const stateMs = facts.indicators.createdAtMs ?? window.minuteMs;
    const recorded: Recorded = {
      hit: {
        ...{ mint: token.mint, pool: pool.pool, minuteMs: window.minuteMs },
        ...{ slot: end.slot, timeMs: end.timeMs },
      },
      values,
      ageMs: ageMs(facts),
      marketCapUsd: capUsd as UsdNano,
      liquidityUsd,
      start: this.paths.follow(pool, stateMs, before.solUsd),
    };
    if (isControl) this.controls.push(recorded);
    for (const at of hitting) this.hits[at]?.push(recorded);
  }

  private isCool(at: number, mint: Address, { timeMs }: RecordedSlot): boolean {
    const untilMs = this.coolUntil[at]?.get(mint) ?? 0;
    if (timeMs < untilMs) return false;
    this.coolUntil[at]?.set(mint, timeMs + (this.rules[at]?.coolDownMs ?? 0));
    return true;
  }
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
