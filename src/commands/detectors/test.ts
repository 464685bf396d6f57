import { Command } from 'commander';
import { readPackage } from '../../detector-modules/package/read-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import {
  agreementIn,
  precisionIn,
  recallIn,
  type ShadowCounts,
} from '../../detector-modules/shadow/shadow-counts.ts';
import { UsageError } from '../../model/errors.ts';
import { FRAUD_TYPES } from '../../model/fraud.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import { printable } from '../printable.ts';
import { playScenario } from './play-scenario.ts';

interface Options {
  readonly folder: string;
  readonly scenarios?: string;
  readonly seed: string;
  readonly json?: true;
}

/** What is printed of a scenario. */
interface TestedScenario extends Partial<ShadowCounts> {
  readonly detector_id: string;
  readonly scenario: string;
  readonly cases: number;
  readonly agreement: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly problem: string | null;
}

/** `detectors test`: judges cases of simulated scenarios beside the built-in detectors. */
export function testCommand(): Command {
  return new Command('test')
    .description('Judge cases of simulated scenarios, and compare with the built-in detectors.')
    .argument('<place>', 'folder, or name of an installed package')
    .option('--folder <folder>', 'folder in which packages are installed', '.')
    .option('--scenarios <names>', 'comma-separated; the six attacks and N1 to N4 if omitted')
    .option('--seed <text>', 'seed of the scenarios', 'one')
    .option('--json', 'print one JSON object for each scenario')
    .addHelpText(
      'after',
      `
The token that a scenario is about is judged every 400 slots, and at the end. Precision is the part of
the cases that the detector reports and built-in ones report too. The exit code is 1 if the detector
fails on a case, or there is no such scenario.

Examples:
  mintscope detectors test ./mintscope-detector-example
  mintscope detectors test mintscope-detector-example --scenarios wash_volume,N3 --json`,
    )
    .action((place: string, options: Options) => {
      const detector = openDetector(readPackage(place, options.folder));
      for (const scenario of scenariosOf(options)) {
        const played = playScenario(detector, { name: scenario, seed: options.seed });
        if (typeof played === 'string') throw new UsageError(played);
        const { counts, problem } = played;
        if (problem !== null) process.exitCode = 1;
        const tested: TestedScenario = {
          detector_id: ruleIdOf(detector),
          scenario,
          cases: played.cases,
          ...counts,
          agreement: agreementIn(counts),
          precision: precisionIn(counts),
          recall: recallIn(counts),
          problem,
        };
        const line = options.json === true ? JSON.stringify(tested) : printable(toText(tested));
        process.stdout.write(`${line}\n`);
      }
    });
}

function scenariosOf({ scenarios }: Options): readonly string[] {
  if (scenarios === undefined) return [...FRAUD_TYPES, 'N1', 'N2', 'N3', 'N4'];
  return scenarios.split(',').map((name) => name.trim());
}

function toText(tested: TestedScenario): string {
  const { scenario, cases, both, onlyDetector, onlyBuiltIn, neither, problem } = tested;
  const counts = `both ${both}, only it ${onlyDetector}, only built-in ${onlyBuiltIn}, neither ${neither}`;
  const longestMs = (tested.durationMostMs ?? 0).toFixed(1);
  const figures = `${scenario}: ${cases} cases, ${counts}, longest ${longestMs} ms`;
  return problem === null ? figures : `${figures}\n${scenario}: FAILED ${problem}`;
}
