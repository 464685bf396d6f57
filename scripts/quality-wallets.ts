/**
 * Runs simulated markets through decoders and fold and reports how often bots are distinguished
 * from people and good traders from lucky ones. Exits with 1 when a required figure is missed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import {
  LEADERBOARD_FILE,
  type MappedWallet,
  mapLeaderboard,
  PROFITABLE_REACH,
  parseLeaderboard,
} from '../tests/quality/leaderboard.ts';
import { runOnThread } from '../tests/quality/market-thread.ts';
import type { WalletMarketPlan, WalletMarketRun } from '../tests/quality/wallet-market.ts';
import {
  DENSE,
  HELD_BACK_SEEDS,
  LONG,
  type SeedRuns,
  TRAINING_SEEDS,
  walletQuality,
} from '../tests/quality/wallet-quality.ts';
import { walletReport } from '../tests/quality/wallet-report.ts';
import { testData } from '../tests/support/test-data.ts';

const JOBS = Math.min(4, availableParallelism());
const HELP = `Reports how often bots and smart wallets are classified correctly, on simulated markets.

  --seeds <a,b>    markets to run (the held-back ones: ${HELD_BACK_SEEDS.join(',')})
  --training       runs the seeds that thresholds may be chosen on: ${TRAINING_SEEDS.join(',')}
  --jobs <number>  markets that run at a time (${JOBS}); each takes some 500 MiB
  --out <file>     writes the report as Markdown
  --json           writes all figures to standard output as JSON, instead of a table
  --help           this text

Ends with 1 when a number is missed. A seed takes a minute or two of processor time.

Examples:
  npm run quality:wallets -- --out docs/quality/wallets.md
  npm run quality:wallets -- --training --json`;

const PROGRESS_EVERY_MS = 5_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    training: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(JOBS) },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function seedsOf({ seeds, training }: typeof values): readonly string[] {
  if (training) return TRAINING_SEEDS;
  if (seeds === undefined) return HELD_BACK_SEEDS;
  return seeds.split(',').filter((seed) => seed !== '');
}

async function run(plan: WalletMarketPlan): Promise<WalletMarketRun> {
  let publishedMs = 0;
  const name = `seed ${plan.seed}, ${plan.preset}`;
  const result = await runOnThread(plan, (share) => {
    const nowMs = performance.now();
    if (nowMs - publishedMs < PROGRESS_EVERY_MS) return;
    publishedMs = nowMs;
    console.error(`${name}: ${Math.round(share * 100)} %`);
  });
  const { transactions, seconds } = result;
  console.error(`${name}: ${transactions} transactions, ${seconds.toFixed(1)} s of processor time`);
  return result;
}

/** Runs all plans, this many at a time; the runs are in the order of the plans. */
async function runAll(plans: readonly WalletMarketPlan[], jobs: number) {
  const runs: WalletMarketRun[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < plans.length; at = next++) {
      const plan = plans[at];
      if (plan !== undefined) runs[at] = await run(plan);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return runs;
}

/** Published wallets in terms of the score; null, and a warning, without a file of them. */
function publishedWallets(): MappedWallet[] | null {
  const path = join(testData, LEADERBOARD_FILE);
  if (existsSync(path)) return mapLeaderboard(parseLeaderboard(readFileSync(path, 'utf8')));
  console.error(`SKIPPED: published leaderboard wallets, because there is no file ${path}.`);
  return null;
}

/** Whether as large a share of the profitable wallets reaches the bound as is wanted. */
function isReached(wallets: readonly MappedWallet[]): boolean {
  const profitable = wallets.filter(({ profitUsd }) => profitUsd > 0);
  const reaching = profitable.filter(({ reachesBound }) => reachesBound);
  return reaching.length * PROFITABLE_REACH.of >= PROFITABLE_REACH.least * profitable.length;
}

async function main(): Promise<void> {
  const seeds = seedsOf(values);
  const jobs = Number(values.jobs);
  if (seeds.length === 0 || !(Number.isInteger(jobs) && jobs > 0)) {
    console.error('Wanted: at least one seed, and a whole number of jobs from 1 on.');
    process.exitCode = 2;
    return;
  }
  const plans = seeds.flatMap((seed) => [
    { ...LONG, seed },
    { ...DENSE, seed },
  ]);
  const done = await runAll(plans, jobs);
  const runs = seeds.flatMap((seed, index): SeedRuns[] => {
    const [long, dense] = done.slice(2 * index);
    return long === undefined || dense === undefined ? [] : [{ seed, dense, long }];
  });
  const quality = walletQuality(runs);
  const published = publishedWallets();
  if (values.out !== undefined) writeFileSync(values.out, walletReport(quality, published));
  if (values.json) console.log(JSON.stringify(quality, null, 2));
  else {
    printTable('Bots and smart wallets', [
      ['', 'at least', 'measured', 'met'],
      ...quality.goals.map(({ what, least, value, isMet }) => [
        what,
        String(least),
        value === null ? '-' : value.toFixed(4),
        isMet ? 'yes' : 'NO',
      ]),
    ]);
  }
  const isMet = quality.goals.every((goal) => goal.isMet);
  if (!isMet || (published !== null && !isReached(published))) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else await main();
