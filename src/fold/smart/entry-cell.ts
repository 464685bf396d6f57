import type { UsdNano } from '../../model/units.ts';

/** The token's age and market cap at a purchase; null while unknown. */
export interface Entry {
  readonly ageMs: number | null;
  readonly marketCapUsd: UsdNano | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Each class begins at its bound; the first begins at 0. */
const AGES_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS] as const;
const CAPS_USD = [10_000n, 30_000n, 100_000n, 300_000n, 1_000_000n, 10_000_000n].map(
  (dollars) => dollars * 1_000_000_000n,
);
/** Classes of each, the last of them for an unknown value. */
const CLASSES = 8;
const UNKNOWN = CLASSES - 1;

/** The cell of purchases of tokens of which neither is known. */
export const UNKNOWN_ENTRY = CLASSES * UNKNOWN + UNKNOWN;

/** Number of cells. */
export const ENTRY_CELLS = CLASSES * CLASSES;

/** The cell of purchases at a similar age and market cap, from 0 on. */
export function entryCellOf({ ageMs, marketCapUsd }: Entry): number {
  const age = ageMs === null ? UNKNOWN : AGES_MS.filter((from) => ageMs >= from).length;
  const cap =
    marketCapUsd === null ? UNKNOWN : CAPS_USD.filter((from) => marketCapUsd >= from).length;
  return CLASSES * age + cap;
}
