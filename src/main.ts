/** The command line. Each command is a module in commands/. */
import { Command } from 'commander';
import { VERSION } from './config/version.ts';
import { FullTableError } from './lib/full-table-error.ts';
import { stopProcess } from './lib/stop-process.ts';
import { terminalOf } from './lib/terminal/terminal.ts';
import { wrapText } from './lib/terminal/wrap-text.ts';
import { ChainError, ServiceError, StoreError, ThreadError, UsageError } from './model/errors.ts';

const USAGE_EXIT = 2;
const FAILURE_EXIT = 1;
/** Their messages say what to do. */
const EXPECTED = [UsageError, StoreError, ChainError, ThreadError, ServiceError, FullTableError];

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

/** Loading all of them takes a short command several times as long as its own work. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./commands/start.ts')).startCommand()],
  ['replay', async () => (await import('./commands/replay.ts')).replayCommand()],
  ['decode', async () => (await import('./commands/decode.ts')).decodeCommand()],
  ['audit', async () => (await import('./commands/audit.ts')).auditCommand()],
  ['backfill', async () => (await import('./commands/backfill.ts')).backfillCommand()],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand()],
  ['check', async () => (await import('./commands/check.ts')).checkCommand()],
  ['backup', async () => (await import('./commands/backup.ts')).backupCommand()],
  ['restore', async () => (await import('./commands/restore.ts')).restoreCommand()],
  ['digest', async () => (await import('./commands/digest.ts')).digestCommand()],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand()],
  ['idl', async () => (await import('./commands/idl.ts')).idlCommand()],
  ['config', async () => (await import('./commands/config.ts')).configCommand()],
  ['keys', async () => (await import('./commands/keys.ts')).keysCommand()],
  ['posts', async () => (await import('./commands/posts.ts')).postsCommand()],
  ['simulate', loadSimulate],
  ['token', async () => (await import('./commands/token.ts')).tokenCommand()],
  ['wallet', async () => (await import('./commands/wallet.ts')).walletCommand()],
  ['fraud', async () => (await import('./commands/fraud.ts')).fraudCommand()],
  ['signals', async () => (await import('./commands/signals.ts')).signalsCommand()],
  ['rules', async () => (await import('./commands/rules/rules.ts')).rulesCommand()],
  ['detectors', async () => (await import('./commands/detectors/detectors.ts')).detectorsCommand()],
  ['watch', async () => (await import('./commands/watch.ts')).watchCommand()],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand()],
  ['sentiment', async () => (await import('./commands/sentiment.ts')).sentimentCommand()],
]);

const program = new Command('mintscope')
  .description('Token intelligence for Solana, from raw blocks to HTTP responses.')
  .version(VERSION)
  .showHelpAfterError('(add --help for usage)')
  .addHelpText(
    'after',
    `
Examples:
  mintscope start --replay blocks/          serve recorded blocks
  mintscope replay blocks/ --json           fold blocks and print counts and the digest
  mintscope decode block.json | head        print canonical events
  mintscope verify finding.json blocks/      recompute a fraud finding from raw blocks
  mintscope check --sample 60               check a data folder for lost data
  mintscope backup /mnt/backups/monday      back up a data folder, beside its service
  mintscope restore /mnt/backups/monday --data-dir data   restore a backup
  mintscope digest --data-dir data          print the digest of a stored state
  mintscope doctor --rpc-url https://rpc.example.com   check nodes and machine
  mintscope idl diff pump.json              compare a program's interface with its decoder
  mintscope simulate --out market/ --slots 500   write blocks of a simulated market
  mintscope keys create --label bot         create an API key
  mintscope config print                    show every setting and where it comes from
  mintscope posts import posts.jsonl        import posts from a file
  mintscope token So11111111111111111111111111111111111111112   ask a running service
  mintscope rules lint rules/               check rules of one's own
  mintscope watch new_tokens findings       print changes as they come
  mintscope mcp                             let an agent ask a running service`,
  );

const [, , requested = ''] = process.argv;
for (const load of commandsFor(requested)) program.addCommand(await load());

exitWithUsageCode(program);
try {
  await program.parseAsync();
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  if (error instanceof Error && isExpected) {
    console.error(inLines(`mintscope: ${error.message}`));
    process.exitCode = error instanceof UsageError ? USAGE_EXIT : FAILURE_EXIT;
  } else throw error;
}

/** The requested command alone; all of them for the general help, and when there is no such one. */
function commandsFor(name: string): readonly (() => Promise<Command>)[] {
  const load = COMMANDS.get(name);
  return load === undefined ? [...COMMANDS.values()] : [load];
}

/** Whole words on a terminal; one line for programs. */
function inLines(sentence: string): string {
  const terminal = terminalOf(2);
  return terminal === null ? sentence : wrapText(sentence, terminal.columns()).join('\n');
}

async function loadSimulate(): Promise<Command> {
  const { createSimulation } = await import('../simulator/simulation.ts');
  const { simulateCommand } = await import('./commands/simulate.ts');
  return simulateCommand(createSimulation);
}

/** All usage errors of commands end with the same exit code. */
function exitWithUsageCode(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT));
  for (const child of command.commands) exitWithUsageCode(child);
}
