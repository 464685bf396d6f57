/** Unix seconds of the year 2100: later times are milliseconds by mistake. */
export const UNIX_SECONDS_MAX = 4_102_444_800;

/** Resolutions of the UDF protocol by name, in milliseconds. */
export const RESOLUTION_MS = {
  '1S': 1_000,
  '5S': 5_000,
  '15S': 15_000,
  '30S': 30_000,
  '1': 60_000,
  '5': 300_000,
  '15': 900_000,
  '30': 1_800_000,
  '60': 3_600_000,
  '240': 14_400_000,
  '1D': 86_400_000,
  D: 86_400_000,
} as const;

export type Resolution = keyof typeof RESOLUTION_MS;

/** The names that are accepted: charts write one day in two ways. */
export const RESOLUTIONS = Object.keys(RESOLUTION_MS) as Resolution[];

/** The names that are offered. Properties whose names are numbers come first. */
export const OFFERED_RESOLUTIONS = RESOLUTIONS.filter((name) => name !== 'D').sort(
  (one, other) => RESOLUTION_MS[one] - RESOLUTION_MS[other],
);
