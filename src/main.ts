/** The command line. Each command is a file in commands/. */
import { Command } from 'commander';
import { decodeCommand } from './commands/decode.ts';
import { keysCommand } from './commands/keys.ts';
import { replayCommand } from './commands/replay.ts';
import { startCommand } from './commands/start.ts';
import { StoreError, UsageError } from './model/errors.ts';

const USAGE_EXIT = 2;
const FAILURE_EXIT = 1;

const program = new Command('mintscope')
  .description('Token intelligence for Solana, from raw blocks to HTTP answers.')
  .version('0.1.0')
  .showHelpAfterError('(add --help for usage)')
  .addCommand(startCommand())
  .addCommand(replayCommand())
  .addCommand(decodeCommand())
  .addCommand(keysCommand())
  .addHelpText(
    'after',
    `
Examples:
  mintscope start --replay blocks/          serve what recorded blocks hold
  mintscope replay blocks/ --json           fold them and print counts and the digest
  mintscope decode block.json | head        look at canonical events
  mintscope keys create --label bot         make an API key`,
  );

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof UsageError || error instanceof StoreError) {
    console.error(`mintscope: ${error.message}`);
    process.exitCode = error instanceof UsageError ? USAGE_EXIT : FAILURE_EXIT;
  } else throw error;
}
