const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /Too many open files/,
    'allow more of them with "ulimit -n 16384", LimitNOFILE= of a unit or ulimits of a container',
  ],
  [
    /NOT_ENOUGH_SPACE|ENOSPC|No space left on device|Disk quota exceeded|database or disk is full/,
    'free space on the disk of the data folder, or name a folder on a larger one with --data-dir',
  ],
];

/** What to do about a failure for lack of a resource, by the message of the engine, of SQLite or of the system; null for others. */
export function resourceRemedy(message: string): string | null {
  return REMEDIES.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
