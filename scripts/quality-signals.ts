/**
 * Runs simulated markets through decoders, fold and models, walks forward through their days, and
 * reports the returns of following the signals. Exits with 1 when the evaluator itself fails: a
 * feature that looks ahead is not found, random signals show a lift, or a planted edge is not
 * found.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { playDemo } from '../tests/quality/demo-signals.ts';
import { runSignalMarket } from '../tests/quality/signal-market.ts';
import { SEEDS_LEAST, signalQuality } from '../tests/quality/signal-quality.ts';
import { signalReport } from '../tests/quality/signal-report.ts';

const SEEDS = Array.from({ length: 10 }, (_, at) => `held-back-${at + 11}`).join(',');
const DAYS = 24;
const DEMO_HOURS = 2;
const HELP = `Says what signals are worth, on simulated markets.

  --seeds <a,b>    markets to run, one after the other (${SEEDS})
  --days <number>  of simulated time that signals are given in (${DAYS})
  --demo-hours <n> hours of the demo's market in which signals are counted; 0 for none (${DEMO_HOURS})
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
    'demo-hours': { type: 'string', default: String(DEMO_HOURS) },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Prints how much of a market was played, every few seconds. */
function progressOf(name: string): (share: number) => void {
  let publishedMs = 0;
  return (share) => {
    const nowMs = performance.now();
    if (nowMs - publishedMs < PROGRESS_EVERY_MS) return;
    publishedMs = nowMs;
    console.error(`${name}: ${Math.round(share * 100)} %`);
  };
}

function main(): void {
  const days = Number(values.days);
  const seeds = values.seeds.split(',').filter((seed) => seed !== '');
  const demoHours = Number(values['demo-hours']);
  const isTime = Number.isInteger(days) && days >= 6 && demoHours >= 0;
  if (seeds.length === 0 || !isTime) {
    console.error('Wanted: at least one seed, a whole number of days from 6 on, hours from 0 on.');
    process.exitCode = 2;
    return;
  }
  if (seeds.length < SEEDS_LEAST) {
    console.error(`Fewer than ${SEEDS_LEAST} seeds: no evaluation, only a look at these.`);
  }
  const runs = seeds.map((seed) =>
    runSignalMarket({ preset: 'waves', seed, days }, progressOf(`seed ${seed}`)),
  );
  const demo = demoHours === 0 ? null : playDemo(demoHours, progressOf('demo'));
  const quality = signalQuality(runs);
  if (values.out !== undefined) writeFileSync(values.out, signalReport(quality, demo));
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
