/** What a check found: all is well, something may hurt, or it will not work. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** What was looked at: a node by its label, or a part of this machine. */
  readonly subject: string;
  readonly check: string;
  readonly message: string;
  /** What to do about it; null where nothing has to be done. */
  readonly advice: string | null;
}

/** A finding whose subject its maker does not know. */
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

/** One line for a person. */
export function findingLine({ status, subject, check, message, advice }: Finding): string {
  const what = `${status.padEnd(4)}  ${subject}  ${check}: ${message}`;
  return advice === null ? what : `${what}. ${advice}`;
}
