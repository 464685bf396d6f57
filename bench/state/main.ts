/**
 * Applies a market that grows as mainnet does and measures speed, memory, disk and what checkpoints
 * cost; then kills the process when a checkpoint is nearly complete, starts another, which goes on to
 * the same end, and compares the digest with that of an engine that applied everything in one go.
 *
 *   npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB [--folder F]
 *     [--load mainnet|new-wallets|cold-mints|hot] [--swaps-a-second N] [--seed N] [--no-reference]
 *   npm run -s bench:state -- --late 1h --swaps-a-second 25
 *
 * A progress line every ten seconds on the error output, tables, and a line of JSON at the end, in
 * which null means not measured. With a folder, a run goes on where the state in it ends. The default
 * memory is a third of the machine's, as that of the service. What cannot be measured as asked ends
 * with a sentence and exit code 2.
 */
import { answerHelp } from '../../scripts/answer-help.ts';
import { stateMemoryBytesOf } from '../../src/service/state-memory.ts';
import { assertManyEnough } from './cold-swaps.ts';
import { benchLate, type LateResult } from './late/late.ts';
import { measureRun, type RunResult } from './measure-run.ts';
import { claimRunFolder, openRunFolder } from './run-folder.ts';
import { parseStateOptions, type StateOptions } from './state-options.ts';
import { UsageError } from './usage-error.ts';

answerHelp(`Applies a market that grows as mainnet does, kills and resumes it, and compares the digest.

  npm run -s bench:state -- [options]

  --swaps <number>           to apply
  --state-memory <size>      memory of the state, as 256MiB; a third of the machine's by default
  --folder <folder>          keeps the state there, and goes on where it ends
  --load <name>              mainnet, new-wallets, cold-mints or hot; new-wallets with more memory
                             than the state needs measures the bytes of a wallet; cold-mints with
                             less memory than that, and 180000 swaps, what is brought back from files
  --swaps-a-second <number>  of the market, which has a slot every 400 ms; mainnet's 1250 by default,
                             5 of cold-mints
  --seed <number>            what the market follows from
  --no-reference             without the run whose digest is compared
  --late <duration>          instead: stores the market as a service does, delivers a slot so late,
                             as 1h, and measures until the state has it

Examples:
  npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB
  npm run -s bench:state -- --load new-wallets --swaps 200000 --state-memory 2GiB
  npm run -s bench:state -- --load cold-mints --swaps 180000 --state-memory 64MiB
  npm run -s bench:state -- --late 1h --swaps-a-second 25`);

try {
  const result = await bench(parseStateOptions(process.argv.slice(2)));
  console.log(JSON.stringify(result));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench:state: ${error.message} (--help shows the options)`);
  process.exitCode = 2;
}

async function bench(wanted: StateOptions): Promise<RunResult | LateResult> {
  const { market: options, swaps, isCompared, lateMs } = wanted;
  if (lateMs === null) assertManyEnough(options, swaps);
  const stateMemoryBytes = stateMemoryBytesOf(wanted.stateMemoryBytes);
  const folder = openRunFolder(wanted.folder);
  try {
    const order = { options, stateMemoryBytes, folder: folder.path };
    if (lateMs !== null) return await benchLate({ ...order, lateMs }, isCompared);
    claimRunFolder(folder.path, options);
    return await measureRun({ ...order, swaps }, isCompared);
  } finally {
    folder.remove();
  }
}
