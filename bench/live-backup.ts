/**
 * Backs up a data folder of many gigabytes while its service follows a chain, and compares the lag
 * meanwhile with the budget: no slot later than two. See docs/decisions/0066-backup.md.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolderAt } from '../src/store/data-folder.ts';
import { openChdbSession } from '../src/store/sql/chdb-session.ts';
import { beginStretch, endStretch, type LiveFigures } from './live-figures.ts';
import { parseLiveOptions, SHARED_HELP } from './live-options.ts';
import { LEAD_BLOCKS, LiveStage } from './live-stage.ts';
import { TAPE_SLOT_MS } from './live-tape.ts';
import { fixed, printTable } from './table.ts';

const HELP = `Backs up a large data folder while its service follows a simulated chain.

  --gib <number>       size of the folder, in GiB (10)
  --seconds <number>   how long is measured before the backup begins (30)
  --copy <0|1>         1 copies all files, as onto another device (0)
${SHARED_HELP}

Examples:
  npm run bench:backup -- --gib 10 --load 33
  npm run bench:backup -- --gib 2 --copy 1 --json`;

const SETTLE_MS = 60_000;
const LAG_SLOTS_MAX = 2;
/** Backups are made one after another until at least this time has passed. */
const STRETCH_MS_MIN = 30_000;
/** A backup reads this many bytes a second at least; the chain is made long enough for it. */
const READ_BYTES_PER_SECOND = 40_000_000;
const GIB = 2 ** 30;
/** Bytes of a row of the filling table, and rows of one of its parts. */
const ROW_BYTES = 4_096;
const PART_ROWS = 32_768;

/** The summary of `mintscope backup --json`. */
interface BackupSummary {
  readonly slot: number | null;
  readonly files: number;
  readonly bytes: number;
  readonly is_linked: boolean;
  readonly seconds: { readonly linked: number; readonly total: number };
}

const options = parseLiveOptions({ gib: 10, seconds: 30, copy: 0 }, HELP);
const loadBefore = loadavg()[0] ?? Number.NaN;
const stage = await LiveStage.open({
  tapeFolder: options.tapeFolder,
  plan: { ...options.plan, blocks: blocksNeeded() },
  profileDir: options.profileDir,
  service: { settings: options.settings },
  onNote: note,
});
const target = `${stage.dataDir}-backup`;
let backups = 0;
try {
  await fillFolder();
  await stage.read(options.readsPerSecond);
  stage.node.order({ kind: 'play' });
  if (!(await stage.settle(SETTLE_MS))) note('The service did not reach the head of the chain.');
  await sleep(options.warmupSeconds * 1_000);
  const before = await beginStretch(stage);
  await sleep(options.seconds * 1_000);
  const calm = await endStretch(stage, before);
  const beginning = await beginStretch(stage);
  // Over some seconds, a block more or less at the ends would look like another pace.
  const untilMs = performance.now() + STRETCH_MS_MIN;
  let summary = await backUp();
  while (performance.now() < untilMs) summary = await backUp();
  const during = await endStretch(stage, beginning);
  await stage.stopService();
  report(calm, during, summary);
} finally {
  stage.close();
  rmSync(target, { recursive: true, force: true });
}

function note(sentence: string): void {
  console.error(sentence);
}

function blocksNeeded(): number {
  const backupSeconds = STRETCH_MS_MIN / 1_000 + (options.gib * GIB) / READ_BYTES_PER_SECOND;
  const seconds = SETTLE_MS / 1_000 + options.warmupSeconds + options.seconds + backupSeconds;
  return LEAD_BLOCKS + Math.ceil((seconds * 1_000) / TAPE_SLOT_MS);
}

/**
 * Fills the folder with a table that the service does not know, of bytes that cannot be compressed:
 * a backup links and reads the files of any table. The service creates the folder, and is stopped
 * meanwhile, since only one process can open the tables.
 */
async function fillFolder(): Promise<void> {
  await stage.service.url();
  await stage.stopService();
  const session = await openChdbSession(dataFolderAt(stage.dataDir).engineFolder, {
    max_threads: 1,
  });
  const rows = Math.ceil((options.gib * GIB) / ROW_BYTES);
  await session.command(
    // Its parts stay as they are: merging them would be work that has no part in a backup.
    `CREATE TABLE mintscope.filling (row UInt64, bytes String) ENGINE = MergeTree ORDER BY row
     SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1`,
    {},
  );
  for (let first = 0; first < rows; first += PART_ROWS) {
    const count = Math.min(PART_ROWS, rows - first);
    await session.command(
      `INSERT INTO mintscope.filling
       SELECT number + ${first}, randomString(${ROW_BYTES}) FROM numbers(${count})`,
      {},
    );
  }
  await session.close();
  stage.restartService();
}

/** Runs `mintscope backup` as an operator does, in place of the one before. Throws if it fails. */
async function backUp(): Promise<BackupSummary> {
  rmSync(target, { recursive: true, force: true });
  backups++;
  const args = ['backup', target, '--data-dir', stage.dataDir, '--json'];
  if (options.copy === 1) args.push('--copy');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', resolve('src/main.ts'), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((settle) => child.once('close', settle));
  if (code !== 0) throw new Error(`the backup ended with ${code}`);
  return JSON.parse(output) as BackupSummary;
}

function report(calm: LiveFigures, during: LiveFigures, summary: BackupSummary): void {
  const row = (measure: string, cell: (figures: LiveFigures) => string) => [
    measure,
    cell(calm),
    cell(during),
  ];
  const isMet = during.lagSlots.max <= LAG_SLOTS_MAX && during.unseenSlots === 0;
  if (options.isJson) {
    console.log(JSON.stringify({ loadBefore, calm, during, backups, summary, isMet }));
  } else {
    const conditions = `${availableParallelism()} processors, load ${fixed(loadBefore, 2)} before`;
    const size = `${fixed(summary.bytes / GIB, 2)} GiB in ${summary.files} files`;
    const took = `${fixed(summary.seconds.linked, 2)} s until all were linked, ${fixed(summary.seconds.total, 1)} s in all`;
    printTable(`${backups} backups of ${size}; the last: ${took}; ${conditions}`, [
      ['measure', 'before', 'during the backup'],
      row('lag, slots, worst', ({ lagSlots }) => String(lagSlots.max)),
      row('at most 2 slots behind', ({ lagWithinTwo }) => `${fixed(lagWithinTwo * 100, 2)} %`),
      row('produced → visible, p50', ({ producedToVisibleMs: { p50 } }) => `${fixed(p50, 0)} ms`),
      row('produced → visible, p99', ({ producedToVisibleMs: { p99 } }) => `${fixed(p99, 0)} ms`),
      row('hot reads, p99', ({ readMs: { p99 } }) => `${fixed(p99, 1)} ms`),
      row('slots never seen', ({ unseenSlots }) => String(unseenSlots)),
      row('seconds', ({ seconds }) => fixed(seconds, 0)),
    ]);
    console.log(`No slot later than ${LAG_SLOTS_MAX}: ${isMet ? 'yes' : 'NO'}`);
  }
  const reason = calm.void ?? during.void;
  if (reason === null) return;
  note(`\nVOID: ${reason}. These figures say nothing about the service.`);
  process.exitCode = 1;
}
