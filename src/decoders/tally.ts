import type { Instruction } from '../model/instruction.ts';
import type { ProgramName } from '../model/program.ts';
import type { DecodeProblem, ProgramOutcomes } from '../model/slot-facts.ts';
import type { Signature } from '../model/units.ts';

/** Maximum problems stored per slot; any beyond are only counted. */
const PROBLEMS_MAX = 1_000;

/** Counts the results of each program's instructions while one slot is decoded. */
export class Tally {
  readonly outcomes: Partial<Record<ProgramName, ProgramOutcomes>> = {};
  readonly problems: DecodeProblem[] = [];
  /**
   * Transactions that moved tokens through a pool, and those of them that are explained completely.
   */
  poolMovingCount = 0;
  explainedCount = 0;

  count(program: ProgramName, outcome: keyof ProgramOutcomes): void {
    let counts = this.outcomes[program];
    if (counts === undefined) {
      counts = { event: 0, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 };
      this.outcomes[program] = counts;
    }
    counts[outcome]++;
  }

  /** True when a problem of this instruction is recorded. */
  hasNoted(signature: Signature, { outerIx, innerIx }: Pick<Instruction, 'outerIx' | 'innerIx'>) {
    return this.problems.some(
      (one) => one.signature === signature && one.outerIx === outerIx && one.innerIx === innerIx,
    );
  }

  note(
    problem: DecodeProblem['problem'],
    program: ProgramName | null,
    signature: Signature,
    at: Pick<Instruction, 'outerIx' | 'innerIx'>,
    reason: string,
  ): void {
    if (this.problems.length >= PROBLEMS_MAX) return;
    const { outerIx, innerIx } = at;
    this.problems.push({ signature, outerIx, innerIx, program, problem, reason });
  }
}
