import type { Mutant } from './mutant.ts';
import { runVitest, type VitestRun } from './run-vitest.ts';
import type { TreeCopy } from './tree-copy.ts';

/** The result for a mutant. Only a test that failed because of it kills it. */
export type Verdict =
  | { readonly kind: 'killed'; readonly by: string; readonly seconds: number }
  | { readonly kind: 'survived'; readonly reason: string; readonly seconds: number };

/** Time limit for a run of named tests. */
const RUN_TIMEOUT_MS = 900_000;

/** Judges mutants; their tests first run without a defect, each set of tests once. */
export class MutantJudge {
  /** By set of tests: the reason why they fail without a defect, or null. */
  private readonly faults = new Map<string, Promise<string | null>>();

  /**
   * Plants the mutant and runs its tests. A tree that does not load, or a run without an end where
   * none is expected, proves nothing about the tests: the mutant survives, with the reason.
   */
  async judge(tree: TreeCopy, mutant: Mutant): Promise<Verdict> {
    const fault = await this.faultWithoutDefect(tree, mutant);
    if (fault !== null) return { kind: 'survived', reason: fault, seconds: 0 };
    const run = await tree.with(mutant, () => runTests(tree, mutant));
    return verdictOf(run, mutant);
  }

  private faultWithoutDefect(tree: TreeCopy, mutant: Mutant): Promise<string | null> {
    const { tests, testName } = mutant;
    const name = JSON.stringify([tests.toSorted(), testName ?? null]);
    const known = this.faults.get(name);
    if (known !== undefined) return known;
    const fault = runTests(tree, mutant).then(faultOf);
    this.faults.set(name, fault);
    return fault;
  }
}

function runTests({ path }: TreeCopy, { tests, testName }: Mutant): Promise<VitestRun> {
  return runVitest({ cwd: path, tests, testName, timeoutMs: RUN_TIMEOUT_MS });
}

/** The reason why tests fail without a defect, or null. */
export function faultOf({ passed, failed, unloaded, isTimedOut }: VitestRun): string | null {
  const [fault = isTimedOut ? 'they do not end in time' : null] = [...failed, ...unloaded];
  if (fault !== null) return `its tests fail without a defect: ${fault}`;
  return passed === 0 ? 'it names no test that runs' : null;
}

/** The verdict of a run with the defect. */
export function verdictOf(
  run: VitestRun,
  { isKilledByTimeout = false }: Pick<Mutant, 'isKilledByTimeout'>,
): Verdict {
  const { seconds, failed, unloaded, isTimedOut, passed } = run;
  const survived = (reason: string): Verdict => ({ kind: 'survived', reason, seconds });
  if (failed[0] !== undefined) return { kind: 'killed', by: failed[0], seconds };
  if (isTimedOut && isKilledByTimeout)
    return { kind: 'killed', by: 'a run without an end', seconds };
  if (isTimedOut) return survived('its tests did not end in time');
  if (unloaded[0] !== undefined) return survived(`no test failed, but ${unloaded[0]}`);
  return survived(`all ${passed} tests passed`);
}
