import type { SourceProblem } from '../model/errors.ts';
import type { DecodeProblem } from '../model/slot-facts.ts';

/** One line for a person: where, what, why. */
export function problemLine({ code, origin, position, message }: SourceProblem): string {
  const place = position === null ? origin : `${origin} (${position})`;
  return `${place}: ${code}: ${message}`;
}

/** The same for an instruction or a transaction that could not be understood or believed. */
export function decodeProblemLine(problem: DecodeProblem): string {
  const { signature, outerIx, innerIx, program, reason } = problem;
  const place = innerIx < 0 ? `${outerIx}` : `${outerIx}.${innerIx}`;
  const what = program === null ? 'transaction' : `${program} instruction ${place}`;
  return `${signature}: ${what}: ${problem.problem}: ${reason}`;
}
