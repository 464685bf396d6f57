import { Command } from 'commander';
import { RulesBody } from '../../api/present/present-rule.ts';
import { askedBy } from '../client/client-command.ts';
import { parseAnswer } from '../client/parse-answer.ts';
import { printable } from '../printable.ts';

/** `rules list`: asks a running service for the rules of the account and of the operator. */
export function listCommand(): Command {
  const command = new Command('list')
    .description('List the rules of the account of the key, and those of the operator.')
    .addHelpText(
      'after',
      `
Examples:
  mintscope rules list
  mintscope rules list --json | jq -r .rules[].rule_id`,
    );
  return askedBy(command, {
    question: () => ({ path: '/v1/rules' }),
    parse: (text, host) => parseAnswer(text, RulesBody, host),
    linesOf: ({ rules }) =>
      rules.length === 0
        ? ['There are no rules.']
        : rules.map(({ rule_id, author, kind, title, is_judged }) =>
            printable(
              `${rule_id}  ${author}  ${kind}${is_judged ? '' : ' (not judged yet)'}  ${title}`,
            ),
          ),
  });
}
