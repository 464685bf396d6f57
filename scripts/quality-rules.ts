/**
 * Plays simulated attacks and their innocent look-alikes and reports where the six detectors and the
 * same types written as rules find the same.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { plansOf, SEED_SETS } from '../tests/quality/fraud-quality.ts';
import type { FraudPlan } from '../tests/quality/fraud-run.ts';
import { rulesQuality } from '../tests/quality/rules-quality.ts';
import { FOUND_HEADER, partsOf, rulesReport } from '../tests/quality/rules-report.ts';
import type { RulesRun } from '../tests/quality/rules-run.ts';
import { compareOnThread } from '../tests/quality/rules-thread.ts';
import { commitHere } from './commit-here.ts';

const RUNS = 8;
const JOBS = Math.min(4, availableParallelism());
const HELP = `Compares the six fraud detectors with docs/rules/fraud, on simulated scenarios.

  --seeds <set>    ${SEED_SETS.join(' or ')} (held-back)
  --runs <number>  seeds of each attack, difficulty and innocent family (${RUNS})
  --jobs <number>  scenarios that are played at a time (${JOBS})
  --out <file>     writes the report as Markdown
  --json           writes all figures to standard output as JSON, instead of tables
  --help           this text

A seed takes about a minute of a processor.

Example:
  npm run quality:rules -- --out docs/quality/rules.md`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: 'held-back' },
    runs: { type: 'string', default: String(RUNS) },
    jobs: { type: 'string', default: String(JOBS) },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Splits the plans over this many threads. The order of runs does not matter. */
async function compareAll(plans: readonly FraudPlan[], jobs: number): Promise<RulesRun[]> {
  const parts = Array.from({ length: jobs }, (_, job) =>
    plans.filter((_plan, place) => place % jobs === job),
  );
  return (await Promise.all(parts.map(compareOnThread))).flat();
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

async function main(): Promise<void> {
  const set = SEED_SETS.find((name) => name === values.seeds);
  const [runs, jobs] = [Number(values.runs), Number(values.jobs)];
  if (set === undefined || !isCount(runs) || !isCount(jobs)) {
    console.error(`Wanted: ${SEED_SETS.join(' or ')} seeds, and whole numbers from 1 on.`);
    process.exitCode = 2;
    return;
  }
  const commit = commitHere();
  const quality = rulesQuality(await compareAll(plansOf(set, runs), jobs));
  if (values.out !== undefined) writeFileSync(values.out, rulesReport(quality, set, commit));
  if (values.json) console.log(JSON.stringify(quality, null, 2));
  else
    for (const [title, rows] of partsOf(quality.types)) printTable(title, [FOUND_HEADER, ...rows]);
}

if (values.help) console.log(HELP);
else await main();
