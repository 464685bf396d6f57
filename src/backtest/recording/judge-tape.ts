import { HashDraws } from '../../lib/hash-draws.ts';
import type { BacktestOptions } from '../../model/backtest.ts';
import type { Address } from '../../model/units.ts';
import type { PricePath } from '../worth/hypothetical-trade.ts';
import { FOLLOWED_MS, type HitWithPath } from '../worth/traded-hits.ts';
import type { MinuteTape, TapeRow } from './minute-tape.ts';
import type { TestedRule, TestedValues } from './tested-rule.ts';

/** A hit with the values of the features that its rule was judged on. */
export interface RecordedHit extends HitWithPath {
  readonly values: TestedValues;
  /** As TapeRow. */
  readonly cutValues: TestedValues | null;
}

export interface JudgedTape {
  /** By rule, in order of time, with cool-downs kept. */
  readonly hits: readonly (readonly RecordedHit[])[];
  readonly controls: readonly HitWithPath[];
  /** Minutes of pools that were judged in the range. */
  readonly minutes: number;
}

/**
 * Judges rules on recorded minutes, in their order, and draws minutes for comparison. Minutes before
 * the range only let sequences begin.
 */
export function judgeTape(
  tape: MinuteTape,
  rules: readonly TestedRule[],
  options: BacktestOptions,
): JudgedTape {
  const { fromMs, toMs } = options;
  const rows = tape.rows.filter(({ at }) => at.minuteMs < toMs);
  const within = rows.filter(({ at }) => at.minuteMs >= fromMs);
  const controls = within
    .filter((row) => isControl(row, options))
    .map((row) => withPath(row, tape));
  return {
    hits: rules.map((rule) => hitsOf(rule, rows, tape, fromMs)),
    controls,
    minutes: within.length,
  };
}

function hitsOf(
  rule: TestedRule,
  rows: readonly TapeRow[],
  tape: MinuteTape,
  fromMs: number,
): readonly RecordedHit[] {
  const judge = rule.begin();
  const coolUntil = new Map<Address, number>();
  return rows.flatMap((row) => {
    const { mint, pool, minuteMs, timeMs } = row.at;
    const passed = judge(row.values, pool, minuteMs);
    if (!passed || minuteMs < fromMs || timeMs < (coolUntil.get(mint) ?? 0)) return [];
    if (!row.canSignal) return [];
    coolUntil.set(mint, timeMs + rule.coolDownMs);
    const readOf = (all: TestedValues) =>
      Object.fromEntries(rule.features.map((name) => [name, all[name] ?? null]));
    const values = readOf(row.values);
    const cutValues = row.cutValues === null ? null : readOf(row.cutValues);
    return [{ ...withPath(row, tape), values, cutValues }];
  });
}

/** The same minutes in every run. */
function isControl({ at, canSignal }: TapeRow, { controlShare }: BacktestOptions): boolean {
  if (!canSignal) return false;
  return new HashDraws(`backtest control ${at.pool} ${at.minuteMs}`).unit() < controlShare;
}

function withPath(row: TapeRow, tape: MinuteTape): HitWithPath {
  const { at: hit, ageMs, marketCapUsd, liquidityUsd } = row;
  return { hit, ageMs, marketCapUsd, liquidityUsd, path: pathOf(row, tape) };
}

function pathOf({ at, pointIndex }: TapeRow, { points, endMs }: MinuteTape): PricePath | null {
  if (pointIndex === null) return null;
  const all = points.get(at.pool) ?? [];
  const untilMs = at.timeMs + FOLLOWED_MS;
  let end = pointIndex;
  while (end < all.length && (all[end]?.timeMs ?? 0) <= untilMs) end++;
  return { points: all.slice(pointIndex, end), endMs };
}
