import { rmSync } from 'node:fs';
import { Random } from '../../simulator/random/random.ts';
import { decodeHead } from '../../src/cluster/step-head.ts';
import { temporaryFolder } from '../support/command-line.ts';
import type { ReadReport } from './api-node.ts';
import { CLUSTER_FAULTS, type Victim } from './cluster-faults.ts';
import { ClusterProcesses, PATIENCE_MS, STREAM } from './cluster-processes.ts';
import { pause } from './storm-service.ts';
import { judge } from './storm-verdict.ts';
import { streamOffences } from './stream-laws.ts';

/** Blocks whose freshness is measured, however long a loaded machine takes for them. */
const FRESHNESS_BLOCKS = 10;
/** Slots after the last fault that must be final as well. */
const CALM_SLOTS = 10;

export interface ClusterStormOptions {
  readonly seed: string;
  readonly natsServers: 1 | 3;
  readonly victims: readonly Victim[];
  /** Whether the nodes of the chain fail too. */
  readonly hasFaults: boolean;
  /** No further victim is harmed after this time. */
  readonly forMs?: number;
  readonly onResumed?: (victim: Victim, ms: number) => void;
}

export interface ClusterStormResult {
  readonly seed: string;
  /** How long each fault paused what it harmed: see the faults. */
  readonly resumeMs: readonly { readonly victim: Victim; readonly ms: number }[];
  /** From the publication of a block to the first answer of a fold with it, by a client that polls. */
  readonly freshnessMs: readonly number[];
  readonly slots: number;
  readonly trades: number;
  /** Differences of any fold from one undisturbed process, in words; empty when correct. */
  readonly differences: readonly string[];
  /** What readers of the nodes saw. */
  readonly reads: readonly ReadReport[];
  readonly seconds: number;
}

/**
 * Follows a simulated market with two ingesters, two folds and two nodes without a state over a
 * stream, harms them, their networks and the servers, reads from the nodes all the time, and compares
 * each fold with one process that got the same blocks directly.
 */
export async function runClusterStorm(options: ClusterStormOptions): Promise<ClusterStormResult> {
  const startedMs = performance.now();
  const random = new Random(`cluster ${options.seed}`);
  const cluster = await ClusterProcesses.start({ ...options, apiNodes: 2 });
  try {
    const freshnessMs = await measureFreshness(cluster);
    const resumeMs: { victim: Victim; ms: number }[] = [];
    for (const victim of options.victims) {
      if (performance.now() - startedMs > (options.forMs ?? Number.POSITIVE_INFINITY)) break;
      await pause(random.between(500, 3_000));
      const ms = await CLUSTER_FAULTS[victim](cluster, random);
      resumeMs.push({ victim, ms });
      options.onResumed?.(victim, ms);
    }
    const verdict = await endAndJudge(cluster);
    const seconds = (performance.now() - startedMs) / 1_000;
    return { seed: options.seed, resumeMs, freshnessMs, ...verdict, seconds };
  } finally {
    await cluster.close();
  }
}

/** Lets all folds reach the end of the chain, ends the processes, and compares what they stored. */
export async function endAndJudge(cluster: ClusterProcesses) {
  const { chain } = cluster;
  chain.calm();
  await cluster.untilFinal(chain.tipSlot + CALM_SLOTS);
  const disagreements = await disagreementsOf(cluster);
  const offences = streamOffences(await cluster.heads());
  const reads = cluster.apiNodes.map(({ report }) => report);
  await cluster.stop();
  const verdicts = [];
  for (const folder of cluster.folders) {
    const calm = temporaryFolder();
    verdicts.push(await judge(chain, folder, calm));
    rmSync(calm, { recursive: true, force: true });
  }
  const [first] = verdicts;
  return {
    slots: first?.slots ?? 0,
    trades: first?.trades ?? 0,
    reads,
    differences: [
      ...disagreements,
      ...offences.map((words) => `stream: ${words}`),
      ...reads.flatMap((report) => report.offences.map((words) => `read: ${words}`)),
      ...verdicts.flatMap(({ differences }, index) =>
        differences.map((words) => `fold ${index}: ${words}`),
      ),
    ],
  };
}

async function disagreementsOf(cluster: ClusterProcesses): Promise<string[]> {
  const disagreements: string[] = [];
  for (const [index, fold] of cluster.folds.entries()) {
    const { text } = await fold.get('/v1/coverage');
    const { replicas } = JSON.parse(text) as { replicas: { state: string } | null };
    if (replicas?.state === 'agreed') continue;
    disagreements.push(`fold ${index}: its state is ${JSON.stringify(replicas)}`);
  }
  return disagreements;
}

/** Polls a fold until it has answered with a number of blocks. */
async function measureFreshness(cluster: ClusterProcesses): Promise<number[]> {
  const published = new Map<number, number>();
  const subscription = cluster.connection.subscribe(`${STREAM}.steps`, {
    callback: (_, message) => {
      const head = decodeHead(message.headers?.get('Mintscope-Step') ?? '');
      if (typeof head === 'string' || head.step.kind !== 'facts') return;
      published.set(head.step.slot, performance.now());
    },
  });
  const freshnessMs: number[] = [];
  const endMs = performance.now() + PATIENCE_MS;
  while (freshnessMs.length < FRESHNESS_BLOCKS && performance.now() < endMs) {
    const { slot } = await cluster.fold(0).slotNow();
    for (const [known, atMs] of published) {
      if (known > slot) continue;
      published.delete(known);
      freshnessMs.push(performance.now() - atMs);
    }
    await pause(5);
  }
  subscription.unsubscribe();
  return freshnessMs;
}
