/** What the runtime or a logger writes where something was not caught, or should have been. */
const OUTCRIES = [
  /unhandled/i,
  /uncaught/i,
  /\(node:\d+\) /,
  /^\s+at .+:\d+:\d+\)?$/,
  /"level":"(error|fatal)"/,
];

/** Lines of a log that no fault of the outside excuses (G3). */
export function outcries(log: string): string[] {
  return log.split('\n').filter((line) => OUTCRIES.some((pattern) => pattern.test(line)));
}

/** The log's line that names this slot as missing, null while there is none. */
export function missingSlotLine(log: string, slot: number): string | null {
  for (const line of log.split('\n')) {
    const range = /"from":(\d+),"to":(\d+)/.exec(line);
    if (range !== null && Number(range[1]) <= slot && Number(range[2]) >= slot) return line;
  }
  return null;
}
