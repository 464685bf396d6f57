import { Command } from 'commander';
import { isBySlots, type RuleTestResult, runRuleTests } from '../../rules/run-tests.ts';
import type { RuleOfFolder } from '../../service/rules/rules-folder.ts';
import { printable } from '../printable.ts';
import { rulesAt } from './rule-paths.ts';

/** `rules test`: runs the tests that rules carry, without a service. */
export function testCommand(): Command {
  return new Command('test')
    .description('Run the tests in rule files: by features, by scenarios and by recorded slots.')
    .argument('<paths...>', 'rule files, or folders with *.yaml files')
    .option('--json', 'print one JSON object for each test')
    .addHelpText(
      'after',
      `
For a scenario or recorded slots the rule is published before the first slot, and judged as a service
would: at the end of each minute. A test ends after 20,000 slots or 300 s at the latest. Relative
paths of recorded slots begin at MINTSCOPE_TEST_DATA, or at the folder of the rule if it is not set.
The exit code is 1 if a test fails, a file has a problem, or a rule has no test.

Examples:
  mintscope rules test rules/
  mintscope rules test dip.yaml --json | jq 'select(.problem != null)'`,
    )
    .action(async (paths: string[], { json }: { json?: true }) => {
      for (const found of rulesAt(paths)) {
        for await (const result of resultsOf(found)) {
          if (result.problem !== null) process.exitCode = 1;
          const line = { file: found.file, ...result };
          const shown = json === true ? JSON.stringify(line) : printable(toText(line));
          process.stdout.write(`${shown}\n`);
        }
      }
    });
}

interface Result extends Pick<RuleTestResult, 'problem'> {
  readonly name: string | null;
}

function toText({ file, name, problem }: Result & { readonly file: string }): string {
  const outcome = problem === null ? 'passed' : 'FAILED';
  const parts = [file, name, problem].filter((part) => part !== null);
  return `${outcome}  ${parts.join(': ')}`;
}

async function* resultsOf({ file, rule, problems }: RuleOfFolder): AsyncGenerator<Result> {
  if (rule === null) {
    for (const problem of problems) yield { name: null, problem };
    return;
  }
  const tests = rule.file.tests ?? [];
  if (tests.length === 0) yield { name: null, problem: 'It has no test.' };
  yield* runRuleTests(rule);
  if (!tests.some(isBySlots)) return;
  // The engine and the simulator, which most rules need not wait for.
  const { runTestsBySlots } = await import('./run-tests-by-slots.ts');
  yield* runTestsBySlots(rule, {
    file,
    dataFolder: process.env.MINTSCOPE_TEST_DATA,
    writeProgress: (line) => process.stderr.write(`${printable(line)}\n`),
  });
}
