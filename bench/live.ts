/**
 * Follows a chain at mainnet's pace and compares the service with its budgets: lag, delay until a
 * slot is visible, hot reads in the meantime, and catching up. See docs/quality/live.md.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BudgetRow, catchUpRows, liveRows } from './live-budgets.ts';
import { type CatchUp, measureCatchUp } from './live-catch-up.ts';
import { beginStretch, endStretch, type LiveFigures } from './live-figures.ts';
import { parseLiveOptions, SHARED_HELP } from './live-options.ts';
import { printProfiles } from './live-profile.ts';
import { LEAD_BLOCKS, LiveStage } from './live-stage.ts';
import { TAPE_SLOT_MS } from './live-tape.ts';
import { fixed, printTable } from './table.ts';

const HELP = `Measures the service at the end of a simulated chain of mainnet's pace.

  --seconds <number>   how long is measured (120)
  --catch-up <blocks>  blocks the chain is ahead when the service comes back; 0 leaves it out (600)
  --out <file>         write the report there as well, as JSON
${SHARED_HELP}

Examples:
  npm run bench:live -- --seconds 120
  npm run bench:live -- --seconds 600 --tape /var/tmp/mintscope-tape --json
  npm run bench:live -- --seconds 60 --catch-up 0 --profile /tmp/profile`;

const SETTLE_MS = 60_000;
const CATCH_UP_MS = 90_000;
const PROFILE_TOP = 10;
const BLOCKS_PER_SECOND = 1_000 / TAPE_SLOT_MS;
/** Time between the end of the measurement and the end of the tape. */
const SPARE_SECONDS = 20;

const options = parseLiveOptions({ seconds: 120, 'catch-up': 600 }, HELP);
const loadBefore = loadavg()[0] ?? Number.NaN;
const stage = await LiveStage.open({
  tapeFolder: options.tapeFolder,
  plan: { ...options.plan, blocks: blocksNeeded() },
  profileDir: options.profileDir,
  service: { settings: options.settings },
  onNote: (sentence) => console.error(sentence),
});
try {
  const live = await followEnd();
  const catchUp =
    options['catch-up'] === 0
      ? null
      : await measureCatchUp(stage, options['catch-up'], CATCH_UP_MS);
  await stage.stopService();
  report(live, catchUp);
} finally {
  stage.close();
}

function blocksNeeded(): number {
  const followed = SETTLE_MS / 1_000 + options.warmupSeconds + options.seconds + SPARE_SECONDS;
  const isCaughtUp = options['catch-up'] > 0;
  const ahead = isCaughtUp ? options['catch-up'] + (CATCH_UP_MS / 1_000) * BLOCKS_PER_SECOND : 0;
  return LEAD_BLOCKS + followed * BLOCKS_PER_SECOND + ahead;
}

async function followEnd(): Promise<LiveFigures> {
  await stage.read(options.readsPerSecond);
  stage.node.order({ kind: 'play' });
  const isSettled = await stage.settle(SETTLE_MS);
  if (!isSettled) console.error('The service did not reach the head of the chain at the start.');
  await sleep(options.warmupSeconds * 1_000);
  const beginning = await beginStretch(stage);
  await sleep(options.seconds * 1_000);
  return await endStretch(stage, beginning);
}

function report(live: LiveFigures, catchUp: CatchUp | null): void {
  const cores = availableParallelism();
  const rows = [...liveRows(live), ...(catchUp === null ? [] : catchUpRows(catchUp))];
  const json = JSON.stringify({ cores, loadBefore, live, catchUp, rows });
  if (options.out !== null) writeFileSync(options.out, `${json}\n`);
  if (options.isJson) console.log(json);
  else {
    const conditions = `${cores} processors, load ${fixed(loadBefore, 2)} before it began`;
    printTable(`Following a chain for ${fixed(live.seconds, 0)} s; ${conditions}`, [
      ['measure', 'budget', 'measured', 'met'],
      ...rows.map(cellsOf),
    ]);
  }
  if (live.void !== null) {
    console.error(`\nVOID: ${live.void}. These figures say nothing about the service.`);
    process.exitCode = 1;
  }
  if (options.profileDir !== null) printProfiles(options.profileDir, PROFILE_TOP);
}

function cellsOf({ measure, budget, measured, isMet }: BudgetRow): string[] {
  return [measure, budget, measured, isMet === null ? '' : isMet ? 'yes' : 'NO'];
}
