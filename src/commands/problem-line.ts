import type { SourceProblem } from '../model/errors.ts';
import type { DecodeProblem } from '../model/slot-facts.ts';

/** One line of text: origin, code, message. */
export function problemLine({ code, origin, position, message }: SourceProblem): string {
  const location = position === null ? origin : `${origin} (${position})`;
  return `${location}: ${code}: ${message}`;
}

/** The same for an instruction or transaction that could not be decoded or trusted. */
export function decodeProblemLine(problem: DecodeProblem): string {
  const { signature, outerIx, innerIx, program, reason } = problem;
  const index = innerIx < 0 ? `${outerIx}` : `${outerIx}.${innerIx}`;
  const subject = program === null ? 'transaction' : `${program} instruction ${index}`;
  return `${signature}: ${subject}: ${problem.problem}: ${reason}`;
}
