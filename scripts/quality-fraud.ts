/**
 * Plays simulated attacks and their innocent look-alikes through decoders and detectors and reports
 * how often patterns are classified correctly. Exits with 1 when a required figure is missed.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { fraudQuality, plansOf, SEED_SETS } from '../tests/quality/fraud-quality.ts';
import { fraudReport, GOAL_HEADER, goalRow } from '../tests/quality/fraud-report.ts';
import type { FraudPlan, FraudRun } from '../tests/quality/fraud-run.ts';
import { judgeOnThread } from '../tests/quality/fraud-thread.ts';
import { commitHere } from './commit-here.ts';

const RUNS = 40;
const INNOCENT_RUNS = 80;
const JOBS = Math.min(4, availableParallelism());
const HELP = `Reports how often the six fraud patterns are classified correctly, on simulated scenarios.

  --seeds <set>             ${SEED_SETS.join(' or ')} (held-back): thresholds may be chosen on training seeds
  --first <number>          of the seeds (1): what was seen on some is judged on others
  --runs <number>           seeds of each attack and difficulty (${RUNS})
  --innocent-runs <number>  seeds of each innocent family (as many, but ${INNOCENT_RUNS} without --runs)
  --jobs <number>           scenarios that are played at a time (${JOBS})
  --out <file>              writes the report as Markdown
  --json                    writes all figures to standard output as JSON, instead of a table
  --help                    this text

Ends with 1 when a number is missed. A run takes half a second or so of processor time.

Examples:
  npm run quality:fraud -- --first 161 --out docs/quality/fraud.md
  npm run quality:fraud -- --seeds training --runs 2`;

const PROGRESS_EVERY = 100;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: 'held-back' },
    first: { type: 'string', default: '1' },
    runs: { type: 'string' },
    'innocent-runs': { type: 'string' },
    jobs: { type: 'string', default: String(JOBS) },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Splits the plans over this many threads; the runs are in the order of the plans. */
async function judgeAll(plans: readonly FraudPlan[], jobs: number): Promise<FraudRun[]> {
  const parts = Array.from({ length: jobs }, (_, job) =>
    plans.flatMap((plan, place) => (place % jobs === job ? [{ plan, place }] : [])),
  );
  const runs: FraudRun[] = [];
  let done = 0;
  const judgePart = async (
    part: readonly { readonly plan: FraudPlan; readonly place: number }[],
  ) => {
    let next = 0;
    const take = (run: FraudRun): void => {
      const place = part[next++]?.place;
      if (place !== undefined) runs[place] = run;
      if (++done % PROGRESS_EVERY === 0) console.error(`${done} of ${plans.length} runs`);
    };
    await judgeOnThread(
      part.map(({ plan }) => plan),
      take,
    );
  };
  await Promise.all(parts.map(judgePart));
  return runs;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

async function main(): Promise<void> {
  const set = SEED_SETS.find((name) => name === values.seeds);
  const runs = Number(values.runs ?? RUNS);
  const innocentRuns = Number(values['innocent-runs'] ?? values.runs ?? INNOCENT_RUNS);
  const jobs = Number(values.jobs);
  const first = Number(values.first);
  if (set === undefined || ![runs, innocentRuns, jobs, first].every(isCount)) {
    console.error(`Wanted: ${SEED_SETS.join(' or ')} seeds, and whole numbers from 1 on.`);
    process.exitCode = 2;
    return;
  }
  const commit = commitHere();
  const quality = fraudQuality(await judgeAll(plansOf(set, runs, innocentRuns, first), jobs));
  if (values.out !== undefined) writeFileSync(values.out, fraudReport(quality, set, commit));
  if (values.json) console.log(JSON.stringify(quality, null, 2));
  else {
    printTable('Fraud check', [GOAL_HEADER, ...quality.goals.map(goalRow)]);
  }
  if (quality.goals.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else await main();
