/**
 * Runs the service against failing nodes, kills it, and reports for each seed whether its final
 * data equals that of a calm run, and whether it obeyed the rules. Exits with 1 when anything
 * differs.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { fixed, integer, printTable } from '../bench/table.ts';
import { Random } from '../simulator/random/random.ts';
import { VICTIMS, type Victim } from '../tests/chaos/cluster-faults.ts';
import { type ClusterStormResult, runClusterStorm } from '../tests/chaos/cluster-storm.ts';
import { regressionStorms } from '../tests/chaos/regression-storms.ts';
import { runStorm, type StormOptions, type StormResult } from '../tests/chaos/run-storm.ts';
import type { GapDelays } from '../tests/chaos/storm-gap.ts';
import { answerHelp } from './answer-help.ts';

answerHelp(`Follows a simulated market through failing nodes, kills the service, and compares its data.

  npm run chaos -- [options]

  --seeds <list>    a number of seeds, or seeds separated by commas (3)
  --kills <number>  kills in each storm (8)
  --stream          blocks come from a Yellowstone server
  --state-memory <size>
                    memory for the state, such as 1MiB, so that most of it is in files
  --freezes         the process also stands still for up to two seconds (SIGSTOP, SIGCONT)
  --no-gap          without a slot that no node has
  --regressions     the seeds that failed before
  --cluster         two ingesters, two folds and two nodes over three NATS servers; needs nats-server
  --victims <list>  with --cluster: what is harmed in turn, or "all" for a random choice of
                    ${VICTIMS.join(', ')}
                    (writer,fold,nats,api)
  --minutes <n>     with --cluster: harm nothing more after this time
  --seed <text>     the same as --seeds with one seed

Examples:
  npm run chaos -- --seeds 20 --kills 10
  npm run chaos -- --seed 7 --kills 10 --state-memory 1MiB --freezes
  npm run chaos -- --cluster --seed 7 --kills 12
  npm run chaos -- --cluster --seed 7 --kills 50 --victims all
  npm run chaos -- --cluster --seed 7 --kills 5 --victims stopped-writer,cut-fold`);

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: process.env.MINTSCOPE_TEST_CHAOS_SEEDS ?? '3' },
    kills: { type: 'string', default: '8' },
    'no-gap': { type: 'boolean', default: false },
    stream: { type: 'boolean', default: false },
    'state-memory': { type: 'string' },
    freezes: { type: 'boolean', default: false },
    regressions: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    victims: { type: 'string', default: 'writer,fold,nats,api' },
    minutes: { type: 'string' },
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
    `${integer(result.kills)}, ${integer(result.freezes)}`,
    `${integer(result.undos)} (${integer(result.undoneSlots)})`,
    gap === null ? '-' : seenAt(gap),
    gap === null ? '-' : yes(result.isGapClosed),
    seconds(result.caughtUpMs),
    `${integer(result.slots)}, ${integer(result.trades)}`,
    yes(result.digest === result.calmDigest),
    yes(result.differences.length === 0),
    `${integer(result.peakBytes / 2 ** 20)}, ${integer(result.evictedPages)}`,
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
  'kills, freezes',
  'forks left (slots)',
  'gap in readyz / metric / log after s',
  'gap closed',
  'caught up after s',
  'slots, trades',
  'G1 digest equal',
  'G2, G7 rows, sums, cursor, ledger equal',
  'G4 most MiB, pages evicted',
  'G5 answers, slowest ms',
  'G3 to G5 kept',
  'seconds',
];

const CLUSTER_HEADER = [
  'seed',
  'faults',
  'publication to answer p50, ms',
  'slots, trades',
  'every fold equal to one process',
  'reads, slowest ms',
  'reads without errors',
  'seconds',
];

const RESUME_HEADER = ['harmed', 'times', 'p50, s', 'p95, s', 'longest, s'];

const kills = Number(values.kills);
const seeds = values.seed === undefined ? seedsOf(values.seeds) : [values.seed];
if (values.cluster) await stormClusters();
else await stormServices();

async function stormServices(): Promise<void> {
  const gap = values['no-gap'] ? null : 'after-block';
  const { stream: hasStream, freezes: hasFreezes, 'state-memory': stateMemory } = values;
  const memory = stateMemory === undefined ? {} : { stateMemory };
  const storms: readonly StormOptions[] = values.regressions
    ? regressionStorms()
    : seeds.map((seed) => ({ seed, kills, gap, hasStream, hasFreezes, ...memory }));
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

async function stormClusters(): Promise<void> {
  const results: ClusterStormResult[] = [];
  const forMs = Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  for (const seed of seeds) {
    const onResumed = (victim: Victim, ms: number) =>
      console.log(`seed ${seed}: ${victim} ${seconds(ms)} s, load ${fixed(loadavg()[0] ?? 0, 1)}`);
    const options = { seed, natsServers: 3, hasFaults: true, forMs, onResumed } as const;
    const result = await runClusterStorm({ ...options, victims: victimsOf(seed) });
    results.push(result);
    for (const words of result.differences) console.log(`seed ${seed}: ${words.slice(0, 500)}`);
    console.log(`seed ${seed}: ${fixed(result.seconds, 1)} s`);
  }
  printTable('Several machines', [CLUSTER_HEADER, ...results.map(clusterRowOf)]);
  const resumed = results.flatMap(({ resumeMs }) => resumeMs);
  const rows = VICTIMS.flatMap((victim) => resumeRowsOf(victim, resumed));
  printTable('Until it went on, by what was harmed', [RESUME_HEADER, ...rows]);
  if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}

/** A list is gone through in turn; of all, each is drawn. */
function victimsOf(seed: string): readonly Victim[] {
  const random = new Random(`victims ${seed}`);
  const turns = values.victims === 'all' ? VICTIMS : values.victims.split(',').map(victimOf);
  return Array.from({ length: kills }, (_, index) =>
    values.victims === 'all' ? random.pick(turns) : (turns[index % turns.length] ?? 'fold'),
  );
}

function victimOf(name: string): Victim {
  const victim = VICTIMS.find((one) => one === name);
  if (victim !== undefined) return victim;
  throw new RangeError(`there is no victim ${name}: choose of ${VICTIMS.join(', ')}`);
}

function clusterRowOf(result: ClusterStormResult): string[] {
  const { seed, resumeMs, freshnessMs, slots, trades, differences, reads } = result;
  return [
    seed,
    integer(resumeMs.length),
    integer(quantileOf(freshnessMs, 0.5)),
    `${integer(slots)}, ${integer(trades)}`,
    yes(differences.length === 0),
    `${integer(sumOf(reads.map(({ answers }) => answers)))}, ${integer(Math.max(...reads.map(({ slowestMs }) => slowestMs)))}`,
    yes(reads.every(({ offences }) => offences.length === 0)),
    fixed(result.seconds, 1),
  ];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** No row for a victim that was not harmed. */
function resumeRowsOf(victim: Victim, resumed: ClusterStormResult['resumeMs']): string[][] {
  const times = resumed.filter((one) => one.victim === victim).map(({ ms }) => ms);
  if (times.length === 0) return [];
  const of = (share: number) => seconds(quantileOf(times, share));
  return [[victim, integer(times.length), of(0.5), of(0.95), of(1)]];
}

/** The smallest value that this share of them does not exceed. */
function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
