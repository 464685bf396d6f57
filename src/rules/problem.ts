/** Why a rule was refused, and what to do about it. Positions start at 1; null where unknown. */
export interface RuleProblem {
  /** The part of the rule, as `when` or `sequence.0.when`; empty for the file as a whole. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  /** One sentence. */
  readonly message: string;
}

/** A result, or at least one problem. */
export type Checked<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: null; readonly problems: readonly RuleProblem[] };

export function accepted<T>(value: T): Checked<T> {
  return { value, problems: [] };
}

export function refused(problems: readonly RuleProblem[]): Checked<never> {
  return { value: null, problems };
}

/** `path: message (line 3, column 7)` for people. */
export function problemText({ path, line, column, message }: RuleProblem): string {
  const position = line === null ? '' : ` (line ${line}, column ${column ?? 1})`;
  return `${path === '' ? '' : `${path}: `}${message}${position}`;
}
