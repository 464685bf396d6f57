/**
 * Runs the service against failing nodes, kills it, and reports for each seed whether its final
 * data equals that of a calm run, and whether it obeyed the rules. Exits with 1 when anything
 * differs.
 */
import { parseArgs } from 'node:util';
import { fixed, integer, printTable } from '../bench/table.ts';
import {
  type ClusterStormResult,
  runClusterStorm,
  type Victim,
} from '../tests/chaos/cluster-storm.ts';
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
  --cluster         two ingesters and two folds over three NATS servers; needs nats-server
  --seed <text>     the same as --seeds with one seed

Examples:
  npm run chaos -- --seeds 20 --kills 10
  npm run chaos -- --cluster --seed 7 --kills 12`);

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: process.env.MINTSCOPE_CHAOS_SEEDS ?? '3' },
    kills: { type: 'string', default: '8' },
    'no-gap': { type: 'boolean', default: false },
    stream: { type: 'boolean', default: false },
    regressions: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    seed: { type: 'string' },
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

const CLUSTER_HEADER = [
  'seed',
  'next step after a killed writer, s',
  'after a killed NATS leader, s',
  'killed fold at the tip again, s',
  'publication to answer p50, ms',
  'slots, trades',
  'every fold equal to one process',
];

const kills = Number(values.kills);
const seeds = values.seed === undefined ? seedsOf(values.seeds) : [values.seed];
if (values.cluster) await stormClusters();
else await stormServices();

async function stormServices(): Promise<void> {
  const gap = values['no-gap'] ? null : 'after-block';
  const storms: readonly StormOptions[] = values.regressions
    ? regressionStorms()
    : seeds.map((seed) => ({ seed, kills, gap, hasStream: values.stream }));
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
}

/** The writer, a fold and the server that leads the stream are killed in turn. */
async function stormClusters(): Promise<void> {
  const turns: readonly Victim[] = ['writer', 'fold', 'nats'];
  const victims = Array.from(
    { length: kills },
    (_, index) => turns[index % turns.length] ?? 'fold',
  );
  const results: ClusterStormResult[] = [];
  for (const seed of seeds) {
    const result = await runClusterStorm({ seed, natsServers: 3, kills: victims, hasFaults: true });
    results.push(result);
    for (const words of result.differences) console.log(`seed ${seed}: ${words.slice(0, 500)}`);
    console.log(`seed ${seed}: ${fixed(result.seconds, 1)} s`);
  }
  printTable('Several machines', [CLUSTER_HEADER, ...results.map(clusterRowOf)]);
  if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}

function clusterRowOf(result: ClusterStormResult): string[] {
  const { seed, resumeMs, freshnessMs, slots, trades, differences } = result;
  const times = (victim: Victim) =>
    resumeMs.flatMap((one) => (one.victim === victim ? [seconds(one.ms)] : [])).join(' ');
  return [
    seed,
    times('writer'),
    times('nats'),
    times('fold'),
    integer(middleOf(freshnessMs)),
    `${integer(slots)}, ${integer(trades)}`,
    yes(differences.length === 0),
  ];
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
