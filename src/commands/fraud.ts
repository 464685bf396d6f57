import { Command } from 'commander';
import { FindingListBody } from '../api/present/finding-list-body.ts';
import { FraudCheckBody } from '../api/present/present-classification.ts';
import { addressArgument, askedBy } from './client/client-command.ts';
import { fraudLines } from './client/fraud-lines.ts';
import { parseAnswer } from './client/parse-answer.ts';
import { fraudReportCommand } from './fraud-report.ts';
import { wholeNumberOption } from './whole-number-option.ts';

const LIMIT_MAX = 500;
const LIMIT_DEFAULT = '20';

/** `fraud`: asks a running service for the findings of a token, or for the newest of all. */
export function fraudCommand(): Command {
  const command = new Command('fraud')
    .description('Show the fraud findings of a token, or the newest of all tokens, with reasons.')
    .argument('[token]', 'mint address of the token; default all tokens')
    .option('--limit <number>', `findings of all tokens, 1 to ${LIMIT_MAX}`, LIMIT_DEFAULT)
    .addHelpText(
      'after',
      `
"mintscope verify" computes a finding again from raw blocks.

Examples:
  mintscope fraud
  mintscope fraud So11111111111111111111111111111111111111112
  mintscope fraud --limit 100 --json | jq -r .classifications[].token_address
  mintscope fraud report 5f3f1b1e-0c9e-5d0b-9f57-7f0a3f3f6a01 --json > report.json`,
    )
    .addCommand(fraudReportCommand());
  return askedBy(command, {
    question: (token, { limit }) =>
      token === undefined
        ? {
            path: '/v1/fraud/classifications',
            query: { limit: String(wholeNumberOption('--limit', String(limit), 1, LIMIT_MAX)) },
          }
        : { path: '/v1/fraud/check', query: { token_address: addressArgument(token) } },
    parse: (text, host, token) =>
      token === undefined
        ? parseAnswer(text, FindingListBody.schema, host)
        : parseAnswer(text, FraudCheckBody, host),
    linesOf: fraudLines,
  });
}
