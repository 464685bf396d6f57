/** Result of a check: passed, potential problem, or failure. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** The subject of the check: a node by its label, or a part of this machine. */
  readonly subject: string;
  readonly check: string;
  readonly message: string;
  /** What to do about it; null if nothing. */
  readonly advice: string | null;
}

/** A finding without its subject, which the check does not know. */
export type Verdict = Omit<Finding, 'subject'>;

export function ok(check: string, message: string): Verdict {
  return { status: 'ok', check, message, advice: null };
}

export function warn(check: string, message: string, advice: string): Verdict {
  return { status: 'warn', check, message, advice };
}

export function fail(check: string, message: string, advice: string): Verdict {
  return { status: 'fail', check, message, advice };
}

/** The finding as one line of text. */
export function findingLine({ status, subject, check, message, advice }: Finding): string {
  const line = `${status.padEnd(4)}  ${subject}  ${check}: ${message}`;
  return advice === null ? line : `${line}. ${advice}`;
}
