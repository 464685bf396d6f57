/**
 * Runs the service against failing nodes, kills it, and reports for each seed whether its final
 * data equals that of a calm run, and whether it obeyed the rules. Exits with 1 when anything
 * differs.
 */
import { parseArgs } from 'node:util';
import { fixed, integer, printTable } from '../bench/table.ts';
import { regressionStorms } from '../tests/chaos/regression-storms.ts';
import { runStorm, type StormOptions, type StormResult } from '../tests/chaos/run-storm.ts';
import type { GapDelays } from '../tests/chaos/storm-gap.ts';
import { answerHelp } from './answer-help.ts';

answerHelp(`Follows a simulated market through failing nodes, kills the service, and compares its data.

  npm run chaos -- [options]

  --seeds <list>    a number of seeds, or seeds separated by commas (3)
  --kills <number>  kills in each storm (8)
  --stream          blocks come from a Yellowstone server
  --no-gap          without a slot that no node has
  --regressions     the seeds that failed before

Example:
  npm run chaos -- --seeds 20 --kills 10`);

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: process.env.MINTSCOPE_CHAOS_SEEDS ?? '3' },
    kills: { type: 'string', default: '8' },
    'no-gap': { type: 'boolean', default: false },
    stream: { type: 'boolean', default: false },
    regressions: { type: 'boolean', default: false },
  },
});

/** A number stands for the seeds 1, 2 and so on; otherwise a list separated by commas. */
function seedsOf(text: string): string[] {
  if (!/^\d+$/.test(text)) return text.split(',').filter((seed) => seed !== '');
  return Array.from({ length: Number(text) }, (_, index) => String(index + 1));
}

function seconds(ms: number | null): string {
  return ms === null ? 'never' : fixed(ms / 1_000, 1);
}

function rowOf(result: StormResult): string[] {
  const { gap } = result;
  return [
    result.seed,
    `${integer(result.faults)} (${result.faultKinds})`,
    integer(result.kills),
    `${integer(result.undos)} (${integer(result.undoneSlots)})`,
    gap === null ? '-' : seenAt(gap),
    gap === null ? '-' : yes(result.isGapClosed),
    seconds(result.caughtUpMs),
    `${integer(result.slots)}, ${integer(result.trades)}`,
    yes(result.digest === result.calmDigest),
    yes(result.differences.length === 0),
    integer(result.peakBytes / 2 ** 20),
    `${integer(result.answers)}, ${integer(result.slowestMs)}`,
    yes(result.offences.length === 0),
    fixed(result.seconds, 1),
  ];
}

function seenAt({ readyz, metric, log }: GapDelays): string {
  return [readyz, metric, log].map(seconds).join(' / ');
}

function yes(isSo: boolean): string {
  return isSo ? 'yes' : 'NO';
}

const HEADER = [
  'seed',
  'faults (kinds)',
  'kills',
  'forks left (slots)',
  'gap in readyz / metric / log after s',
  'gap closed',
  'caught up after s',
  'slots, trades',
  'G1 digest equal',
  'G2, G7 rows, sums, cursor, ledger equal',
  'G4 most MiB',
  'G5 answers, slowest ms',
  'G3 to G5 kept',
  'seconds',
];

const kills = Number(values.kills);
const gap = values['no-gap'] ? null : 'after-block';
const storms: readonly StormOptions[] = values.regressions
  ? regressionStorms()
  : seedsOf(values.seeds).map((seed) => ({ seed, kills, gap, hasStream: values.stream }));
const results: StormResult[] = [];
for (const options of storms) {
  const result = await runStorm(options);
  results.push(result);
  for (const words of [...result.differences, ...result.offences]) {
    console.log(`seed ${result.seed}: ${words.slice(0, 500)}`);
  }
  console.log(`seed ${result.seed}: ${fixed(result.seconds, 1)} s`);
}
printTable('Storms', [HEADER, ...results.map(rowOf)]);
if (results.some((result) => result.differences.length + result.offences.length > 0)) {
  process.exitCode = 1;
}
