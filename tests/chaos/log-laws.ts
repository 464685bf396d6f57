/** Lines of the runtime or the logger about errors that were not handled, or should have been. */
const OUTCRIES = [
  /unhandled/i,
  /uncaught/i,
  /\(node:\d+\) /,
  /^\s+at .+:\d+:\d+\)?$/,
  /"level":"(error|fatal)"/,
];

/** Lines of a log that no external fault excuses (G3). */
export function forbiddenLines(log: string): string[] {
  return log.split('\n').filter((line) => OUTCRIES.some((pattern) => pattern.test(line)));
}

/** The line of the log that reports this slot as missing, null while there is none. */
export function missingSlotLine(log: string, slot: number): string | null {
  for (const line of log.split('\n')) {
    const range = /"from":(\d+),"to":(\d+)/.exec(line);
    if (range !== null && Number(range[1]) <= slot && Number(range[2]) >= slot) return line;
  }
  return null;
}
