/**
 * Runs simulated markets through decoders, fold and models, walks forward through their days, and
 * reports the returns of following the signals. Exits with 1 when the evaluator itself fails: a
 * feature that looks ahead is not found, random signals show a lift, or a planted edge is not
 * found.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { runSignalMarket } from '../tests/quality/signal-market.ts';
import { signalQuality } from '../tests/quality/signal-quality.ts';
import { signalReport } from '../tests/quality/signal-report.ts';

/** An evaluation of fewer seeds says more of the seeds than of the models. */
const SEEDS = Array.from({ length: 10 }, (_, at) => `held-back-${at + 11}`).join(',');
const SEEDS_LEAST = 10;
const DAYS = 24;
const HELP = `Says what signals are worth, on simulated markets.

  --seeds <a,b>    markets to run, one after the other (${SEEDS})
  --days <number>  of simulated time that signals are given in (${DAYS})
  --out <file>     writes the report as Markdown
  --json           writes all figures to standard output as JSON, instead of a table
  --help           this text

Ends with 1 when a check of the evaluator fails. With fewer than ten seeds it says so. A
seed takes some minutes of a processor.

Example:
  npm run quality:signals -- --out docs/quality/signals.md`;

const PROGRESS_EVERY_MS = 5_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: SEEDS },
    days: { type: 'string', default: String(DAYS) },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function main(): void {
  const days = Number(values.days);
  const seeds = values.seeds.split(',').filter((seed) => seed !== '');
  if (seeds.length === 0 || !(Number.isInteger(days) && days >= 6)) {
    console.error('Wanted: at least one seed, and a whole number of days from 6 on.');
    process.exitCode = 2;
    return;
  }
  if (seeds.length < SEEDS_LEAST) {
    console.error(`Fewer than ${SEEDS_LEAST} seeds: no evaluation, only a look at these.`);
  }
  let publishedMs = 0;
  const runs = seeds.map((seed) =>
    runSignalMarket({ preset: 'waves', seed, days }, (share) => {
      const nowMs = performance.now();
      if (nowMs - publishedMs < PROGRESS_EVERY_MS) return;
      publishedMs = nowMs;
      console.error(`seed ${seed}: ${Math.round(share * 100)} %`);
    }),
  );
  const quality = signalQuality(runs);
  if (values.out !== undefined) writeFileSync(values.out, signalReport(quality));
  if (values.json) console.log(JSON.stringify(quality, null, 2));
  else {
    printTable('Checks of the evaluator', [
      ['', 'wanted', 'measured', 'met'],
      ...quality.checks.map(({ what, wanted, measured, isMet }) => [
        what,
        wanted,
        measured,
        isMet ? 'yes' : 'NO',
      ]),
    ]);
  }
  if (quality.checks.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else main();
