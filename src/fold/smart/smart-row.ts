import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { EpisodeSums } from './smart-score.ts';

/** An episode of this age counts half. */
const HALF_LIFE_MS = 30 * 86_400_000;

/** What is known of the skill of a wallet, in 128 bytes. */
export const SMART_LAYOUT = rowLayout({
  wallet: 'u32',
  isSmart: 'u8',
  isBot: 'u8',
  count: 'f64',
  wins: 'f64',
  returns: 'f64',
  excess: 'f64',
  excessSquares: 'f64',
  gainsUsd: 'f64',
  lossesUsd: 'f64',
  bestExcess: 'f64',
  bestWeight: 'f64',
  lastMs: 'f64',
  /** The percentile as of the last ended episode or change of class, and what it was made of. */
  score: 'f64',
  peers: 'f64',
  peersBelow: 'f64',
  excluded: 'u32',
});

const FIELD = SMART_LAYOUT.fields;
const AGING = [
  FIELD.count,
  FIELD.wins,
  FIELD.returns,
  FIELD.excess,
  FIELD.excessSquares,
  FIELD.gainsUsd,
  FIELD.lossesUsd,
  FIELD.bestWeight,
] as const;

/** Ages the sums by the time since the last episode. */
export function ageSums(rows: RowTable, row: number, timeMs: number): void {
  const lastMs = rows.number(row, FIELD.lastMs);
  rows.setNumber(row, FIELD.lastMs, Math.max(lastMs, timeMs));
  if (lastMs === 0 || timeMs <= lastMs) return;
  const weight = 0.5 ** ((timeMs - lastMs) / HALF_LIFE_MS);
  for (const field of AGING) rows.setNumber(row, field, rows.number(row, field) * weight);
}

export function sumsOf(rows: RowTable, row: number): EpisodeSums {
  return {
    count: rows.number(row, FIELD.count),
    wins: rows.number(row, FIELD.wins),
    returns: rows.number(row, FIELD.returns),
    excess: rows.number(row, FIELD.excess),
    excessSquares: rows.number(row, FIELD.excessSquares),
    gainsUsd: rows.number(row, FIELD.gainsUsd),
    lossesUsd: rows.number(row, FIELD.lossesUsd),
    bestExcess: rows.number(row, FIELD.bestExcess),
    bestWeight: rows.number(row, FIELD.bestWeight),
  };
}
