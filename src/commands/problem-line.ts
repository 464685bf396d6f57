import type { SourceProblem } from '../model/errors.ts';

/** One line for a person: where, what, why. */
export function problemLine({ code, origin, position, message }: SourceProblem): string {
  const place = position === null ? origin : `${origin} (${position})`;
  return `${place}: ${code}: ${message}`;
}
