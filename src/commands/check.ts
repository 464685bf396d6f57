import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Config } from '../config/config-settings.ts';
import { StoreError, UsageError } from '../model/errors.ts';
import type { SlotGap } from '../model/slot-range.ts';
import { openConfiguredStore, openService } from '../service/app.ts';
import {
  type CheckedStates,
  checkStates,
  removeCheckpoints,
  type StatesLocation,
} from '../store/checkpoints/check-states.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { assertWholeLog } from '../store/log-start.ts';
import { type CheckSample, parseSample } from './check-sample.ts';
import { type Examined, linesOf, megabytes, summaryOf } from './check-summary.ts';
import { foldProgress } from './fold-progress.ts';
import { addSettings, settingsOf } from './settings.ts';

const NOT_WHOLE_EXIT = 1;
const CANNOT_CHECK_EXIT = 2;
const LINE_STEP_MS = 1_000;

interface Options extends Readonly<Record<string, unknown>> {
  readonly sample?: string | boolean;
  readonly repair?: boolean;
  readonly json?: boolean;
}

/** `check`: checks a data folder for lost data. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('Check whether a data folder still contains everything that was written to it.')
    .option(
      '--sample [budget]',
      'read parts for this many seconds (default 60), or this share of them (10%)',
    )
    .option('--repair', 'mark lost slots as missing and refold lost rows, as a start does')
    .option('--json', 'print the summary as one JSON line');
  return addSettings(command, false)
    .addHelpText('after', HELP)
    .action((options: Options) => check(settingsOf(options), options));
}

const HELP = `
Ledger and cursor are compared with the checksums written with them, every slot of the ledger with
the log, and every part of every table with the record made with the cursor. Then the bytes of parts
and the records of the state's checkpoints are read and compared with their checksums. With --sample,
bytes of parts are read up to the limit, starting with parts never read or read longest ago, so that
repeated runs read everything, and records for as long, the newest checkpoint first; the comparisons
are always complete. Slots that --log-retention dropped are not expected in the log. --repair removes damaged checkpoints: the state is restored from the one before,
or computed again from the log, unless slots were dropped from it: then nothing is changed that
cannot be computed again, and the command says what to do.
No service may be using the folder. A running service checks its own folder: it reads all parts once
a day and reports losses on /readyz ("store_whole", "gaps"), in the metrics
(mintscope_store_losses_total, mintscope_missing_slots) and in its log. Every start makes the
comparisons, reads parts for five seconds, and repairs losses.
Exit code 0: whole ("is_whole": true). 1: data is lost or damaged, or slots are missing (false). 2:
the folder cannot be checked, or no loss was found but some parts could not be read for lack of
memory, time, space or descriptors (null; "read.unread" says how many and why).

Examples:
  mintscope check --data-dir /var/lib/mintscope
  mintscope check --sample 60 --json | jq .findings
  mintscope check --repair`;

async function check(config: Config, options: Options): Promise<void> {
  const sample = parseSample(options.sample);
  try {
    refuseNoFolder(config.dataDir);
    const startedMs = performance.now();
    const first = await examine(config, sample, options.repair === true);
    const isFound = first.findings.length + first.states.damaged.length > 0;
    const isRepaired = options.repair === true && isFound;
    const gaps = isRepaired ? await refill(config) : first.gaps;
    const seconds = (performance.now() - startedMs) / 1_000;
    const summary = summaryOf({ ...first, gaps }, isRepaired, seconds);
    process.stdout.write(
      options.json === true ? `${JSON.stringify(summary)}\n` : `${linesOf(summary).join('\n')}\n`,
    );
    if (summary.is_whole === false) process.exitCode = NOT_WHOLE_EXIT;
    if (summary.is_whole === null) process.exitCode = CANNOT_CHECK_EXIT;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    process.stderr.write(`mintscope: ${error.message}\n`);
    process.exitCode = CANNOT_CHECK_EXIT;
  }
}

/** Opening the store would create the folder. Throws UsageError, which also exits with 2. */
function refuseNoFolder(dataDir: string): void {
  if (holdsData(dataDir) || existsSync(dataFolderAt(dataDir).engineFolder)) return;
  throw new UsageError(`There is no data folder ${dataDir}: name one with --data-dir.`);
}

async function examine(
  config: Config,
  { budgetMs, share }: CheckSample,
  isRepairing: boolean,
): Promise<Examined> {
  const store = await openConfiguredStore(config);
  const { verification, gaps, cursor, logStart } = store;
  try {
    note('comparing ledger, log and rows');
    const progress = new ReadProgress();
    const verified = await verification.verify({
      budgetMs,
      share,
      nowMs: () => performance.now(),
      onChecked: ({ bytes }) => progress.read(bytes),
    });
    const { findings } = verified;
    const location = {
      stateFolder: dataFolderAt(config.dataDir).stateFolder,
      fold: cursor.epoch,
    };
    const states = await examineStates(location, budgetMs);
    if (isRepairing && states.damaged.length > 0) {
      const isAny = states.damaged.length < states.checkpoints;
      if (!isAny) assertWholeLog(logStart, 'All checkpoints of the state are damaged');
      await removeCheckpoints(location, states.damaged);
    }
    const further = isRepairing && findings.length > 0 ? await verification.repair(findings) : [];
    return {
      ...verified,
      findings: [...findings, ...further],
      gaps: [...gaps.gaps],
      states,
    };
  } finally {
    await store.close();
  }
}

/** Reads the records of the checkpoints, for at most as long as the parts of tables. */
function examineStates(location: StatesLocation, budgetMs: number | null): Promise<CheckedStates> {
  note('reading the checkpoints of the state');
  const endMs = budgetMs === null ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
  let printedMs = performance.now();
  return checkStates(location, {
    isTimeOver: () => performance.now() >= endMs,
    onProgress: (checkpoint, { recordsChecked, recordCount }) => {
      if (performance.now() - printedMs < LINE_STEP_MS) return;
      printedMs = performance.now();
      note(`${recordsChecked} of ${recordCount} records of ${checkpoint} read`);
    },
  });
}

/**
 * Opens the folder, which refolds what was marked for repair. Returns the slots that are still
 * missing.
 */
async function refill(config: Config): Promise<readonly SlotGap[]> {
  const service = await openService(config, {
    onLost: note,
    onFold: foldProgress(({ slots, slot, lastSlot }) =>
      note(`${slots} slots folded again, slot ${slot} of ${lastSlot ?? 'unknown'} is reached`),
    ),
  });
  try {
    return [...service.ingestion.gaps];
  } finally {
    await service.close();
  }
}

/** Prints the amount read, at most once per second. */
class ReadProgress {
  private bytes = 0;
  private parts = 0;
  private printedMs = performance.now();

  read(bytes: number): void {
    this.bytes += bytes;
    this.parts++;
    if (performance.now() - this.printedMs < LINE_STEP_MS) return;
    this.printedMs = performance.now();
    note(`${this.parts} parts read, ${megabytes(this.bytes)}`);
  }
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
