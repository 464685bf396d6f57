/** One reason why a rule is refused. Lines and columns start at 1. */
export interface Problem {
  readonly text: string;
  /** Null for a problem of the rule as a whole. */
  readonly position: { readonly line: number; readonly column: number } | null;
}

const POSITION = / ?\(line (\d+), column (\d+)\) ?/g;

/** The problems of a refusal of the API, as `when: There is no … (line 9, column 7) …`. */
export function problemsOf(message: string): readonly Problem[] {
  const problems: Problem[] = [];
  let from = 0;
  for (const match of message.matchAll(POSITION)) {
    const [whole, line, column] = match;
    const position = { line: Number(line), column: Number(column) };
    problems.push({ text: message.slice(from, match.index).trim(), position });
    from = match.index + whole.length;
  }
  const rest = message.slice(from).trim();
  if (rest !== '') problems.push({ text: rest, position: null });
  return problems;
}

/** Number of characters before a line and column of a text; the end for one beyond it. */
export function offsetOf(text: string, { line, column }: NonNullable<Problem['position']>): number {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, start + column - 1);
}
