import { Command } from 'commander';
import { runRuleTests } from '../../rules/run-tests.ts';
import type { RuleOfFolder } from '../../service/rules/rules-folder.ts';
import { printable } from '../printable.ts';
import { rulesAt } from './rule-paths.ts';

/** `rules test`: runs the tests that rules carry, without a service. */
export function testCommand(): Command {
  return new Command('test')
    .description('Run the tests in rule files, which give features and say what is expected.')
    .argument('<paths...>', 'rule files, or folders with *.yaml files')
    .option('--json', 'print one JSON object for each test')
    .addHelpText(
      'after',
      `
The exit code is 1 if a test fails, a file has a problem, or a rule has no test.

Examples:
  mintscope rules test rules/
  mintscope rules test dip.yaml --json | jq 'select(.problem != null)'`,
    )
    .action((paths: string[], { json }: { json?: true }) => {
      for (const found of rulesAt(paths)) {
        for (const result of resultsOf(found)) {
          if (result.problem !== null) process.exitCode = 1;
          const line = { file: found.file, ...result };
          const shown = json === true ? JSON.stringify(line) : printable(toText(line));
          process.stdout.write(`${shown}\n`);
        }
      }
    });
}

function toText({ file, name, problem }: Result & { readonly file: string }): string {
  const outcome = problem === null ? 'passed' : 'FAILED';
  const parts = [file, name, problem].filter((part) => part !== null);
  return `${outcome}  ${parts.join(': ')}`;
}

interface Result {
  readonly name: string | null;
  readonly problem: string | null;
}

function resultsOf({ rule, problems }: RuleOfFolder): readonly Result[] {
  if (rule === null) return problems.map((problem) => ({ name: null, problem }));
  const results = runRuleTests(rule);
  return results.length === 0 ? [{ name: null, problem: 'It has no test.' }] : results;
}
