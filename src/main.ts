/** The command line. Each command is a module in commands/. */
import { Command } from 'commander';
import { createSimulation } from '../simulator/simulation.ts';
import { auditCommand } from './commands/audit.ts';
import { backfillCommand } from './commands/backfill.ts';
import { checkCommand } from './commands/check.ts';
import { decodeCommand } from './commands/decode.ts';
import { doctorCommand } from './commands/doctor.ts';
import { idlCommand } from './commands/idl.ts';
import { keysCommand } from './commands/keys.ts';
import { postsCommand } from './commands/posts.ts';
import { replayCommand } from './commands/replay.ts';
import { sentimentCommand } from './commands/sentiment.ts';
import { simulateCommand } from './commands/simulate.ts';
import { startCommand } from './commands/start.ts';
import { verifyCommand } from './commands/verify.ts';
import { VERSION } from './config/version.ts';
import { stopProcess } from './lib/stop-process.ts';
import { ChainError, StoreError, ThreadError, UsageError } from './model/errors.ts';

const USAGE_EXIT = 2;
const FAILURE_EXIT = 1;

/**
 * A reader that closes the pipe (`| head`) ends the command without an error. A service shuts down
 * in order, since its threads must not be interrupted.
 */
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stopProcess();
  });
}

const program = new Command('mintscope')
  .description('Token intelligence for Solana, from raw blocks to HTTP responses.')
  .version(VERSION)
  .showHelpAfterError('(add --help for usage)')
  .addCommand(startCommand())
  .addCommand(replayCommand())
  .addCommand(decodeCommand())
  .addCommand(auditCommand())
  .addCommand(backfillCommand())
  .addCommand(verifyCommand())
  .addCommand(checkCommand())
  .addCommand(doctorCommand())
  .addCommand(idlCommand())
  .addCommand(keysCommand())
  .addCommand(postsCommand())
  .addCommand(simulateCommand(createSimulation))
  .addCommand(sentimentCommand())
  .addHelpText(
    'after',
    `
Examples:
  mintscope start --replay blocks/          serve recorded blocks
  mintscope replay blocks/ --json           fold blocks and print counts and the digest
  mintscope decode block.json | head        print canonical events
  mintscope verify finding.json blocks/      recompute a fraud finding from raw blocks
  mintscope check --sample 60               check a data folder for lost data
  mintscope doctor --rpc-url https://rpc.example.com   check nodes and machine
  mintscope idl diff pump.json              compare a program's interface with its decoder
  mintscope simulate --out market/ --slots 500   write blocks of a simulated market
  mintscope keys create --label bot         create an API key
  mintscope posts import posts.jsonl        import posts from a file`,
  );

exitWithUsageCode(program);
try {
  await program.parseAsync();
} catch (error) {
  const isExpected = [UsageError, StoreError, ChainError, ThreadError].some(
    (kind) => error instanceof kind,
  );
  if (error instanceof Error && isExpected) {
    console.error(`mintscope: ${error.message}`);
    process.exitCode = error instanceof UsageError ? USAGE_EXIT : FAILURE_EXIT;
  } else throw error;
}

/** All usage errors of commands end with the same exit code. */
function exitWithUsageCode(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT));
  for (const child of command.commands) exitWithUsageCode(child);
}
