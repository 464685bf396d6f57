import { Command } from 'commander';
import type { RuleOfFolder } from '../../service/rules/rules-folder.ts';
import { printable } from '../printable.ts';
import { rulesAt } from './rule-paths.ts';

/** `rules lint`: whether files are rules, without a service. */
export function lintCommand(): Command {
  return new Command('lint')
    .description('Check rule files: shape, features, types, contradictions and cost.')
    .argument('<paths...>', 'rule files, or folders with *.yaml files')
    .option('--json', 'print one JSON object for each file')
    .addHelpText(
      'after',
      `
The exit code is 1 if a file has a problem. The cost is the upper bound of operations of an evaluation.

Examples:
  mintscope rules lint rules/
  mintscope rules lint dip.yaml --json | jq .cost`,
    )
    .action((paths: string[], { json }: { json?: true }) => {
      for (const found of rulesAt(paths)) {
        if (found.problems.length > 0) process.exitCode = 1;
        const lines = json === true ? [toJson(found)] : toLines(found).map(printable);
        process.stdout.write(`${lines.join('\n')}\n`);
      }
    });
}

function toJson({ file, rule, problems }: RuleOfFolder): string {
  return JSON.stringify({ file, rule_id: rule?.id ?? null, cost: rule?.cost ?? null, problems });
}

function toLines({ file, rule, problems }: RuleOfFolder): string[] {
  if (rule !== null) return [`${file}: ${rule.id}, cost ${rule.cost}`];
  return problems.map((text) => `${file}: ${text}`);
}
