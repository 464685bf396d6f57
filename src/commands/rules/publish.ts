import { Command } from 'commander';
import { RuleBody } from '../../api/present/present-rule.ts';
import { UsageError } from '../../model/errors.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import { runRuleTests } from '../../rules/run-tests.ts';
import { askService } from '../client/ask-service.ts';
import { parseAnswer } from '../client/parse-answer.ts';
import {
  addServiceOptions,
  type ServiceOptions,
  serviceAddressOf,
} from '../client/service-address.ts';
import { printable } from '../printable.ts';
import { rulesAt } from './rule-paths.ts';

/** `rules publish`: publishes the rules of files for the account of the key. */
export function publishCommand(): Command {
  const command = new Command('publish')
    .description('Publish rules; they are judged from the next slot on.')
    .argument('<paths...>', 'rule files, or folders with *.yaml files')
    .addHelpText(
      'after',
      `
Nothing is published if a file has a problem or one of its tests by features fails.
Tests by slots are run by "mintscope rules test" only.

Examples:
  mintscope rules publish dip.yaml
  mintscope rules publish rules/ --json`,
    );
  return addServiceOptions(command).action(async (paths: string[], options: ServiceOptions) => {
    const address = serviceAddressOf(options);
    for (const rule of publishable(paths)) {
      const { text } = await askService(address, {
        path: '/v1/rules',
        method: 'POST',
        body: { rule: canonicalRule(rule.file) },
      });
      if (options.json === true) process.stdout.write(`${text}\n`);
      else {
        const { rule_id } = parseAnswer(text, RuleBody, address.baseUrl.host);
        process.stdout.write(`${printable(rule_id)} is published\n`);
      }
    }
  });
}

/** Throws UsageError with the first problem of a file. */
function publishable(paths: readonly string[]) {
  return rulesAt(paths).map(({ file, rule, problems }) => {
    if (rule === null) throw new UsageError(`${file}: ${problems[0] ?? 'it is no rule'}`);
    const failed = runRuleTests(rule).find(({ problem }) => problem !== null);
    if (failed !== undefined) throw new UsageError(`${file}: ${failed.name}: ${failed.problem}`);
    return rule;
  });
}
