import { Command } from 'commander';
import { TokenBody } from '../api/present/token-body.ts';
import { addressArgument, askedBy } from './client/client-command.ts';
import { parseAnswer } from './client/parse-answer.ts';
import { tokenLines } from './client/token-lines.ts';

/** `token`: asks a running service for a token. */
export function tokenCommand(): Command {
  const command = new Command('token')
    .description('Show a token: supply, authorities, metadata, first liquidity, largest holders.')
    .argument('<address>', 'mint address of the token')
    .addHelpText(
      'after',
      `
"-" is unknown or not there. Text of the token's creator is shown with control characters as
escapes such as \\u001b.

Examples:
  mintscope token So11111111111111111111111111111111111111112
  mintscope token So11111111111111111111111111111111111111112 --json | jq .token`,
    );
  return askedBy(command, {
    question: (address) => ({ path: `/v1/token/${addressArgument(address)}` }),
    parse: (text, host) => parseAnswer(text, TokenBody.schema, host),
    linesOf: tokenLines,
  });
}
