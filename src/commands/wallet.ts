import { Command } from 'commander';
import { WalletBody } from '../api/present/wallet-body.ts';
import { addressArgument, askedBy } from './client/client-command.ts';
import { parseAnswer } from './client/parse-answer.ts';
import { walletLines } from './client/wallet-lines.ts';

/** `wallet`: asks a running service for a wallet. */
export function walletCommand(): Command {
  const command = new Command('wallet')
    .description('Show a wallet: whether it is a bot and why, its skill, funding and positions.')
    .argument('<address>', 'address of the wallet')
    .addHelpText(
      'after',
      `
"-" is unknown or not there.

Examples:
  mintscope wallet 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T
  mintscope wallet 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T --json | jq .automation`,
    );
  return askedBy(command, {
    question: (address) => ({ path: `/v1/wallets/${addressArgument(address)}` }),
    parse: (text, host) => parseAnswer(text, WalletBody.schema, host),
    linesOf: walletLines,
  });
}
