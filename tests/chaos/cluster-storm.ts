import { rmSync } from 'node:fs';
import type { NatsConnection } from '@nats-io/transport-node';
import { Random } from '../../simulator/random/random.ts';
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { connectToNats } from '../../src/cluster/nats-connection.ts';
import { decodeHead, type StepHead } from '../../src/cluster/step-head.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { NatsServers } from '../support/nats.ts';
import { StormChain } from './storm-chain.ts';
import { pause, StormService } from './storm-service.ts';
import { judge } from './storm-verdict.ts';

const PATIENCE_MS = 120_000;
const STREAM = 'storm';
/** Blocks whose freshness is measured, however long a loaded machine takes for them. */
const FRESHNESS_BLOCKS = 10;
/** Slots after the last kill that must be final as well. */
const CALM_SLOTS = 10;

/** What a storm of several machines kills. */
export type Victim = 'writer' | 'fold' | 'nats';

export interface ClusterStormOptions {
  readonly seed: string;
  readonly natsServers: 1 | 3;
  readonly kills: readonly Victim[];
  /** Whether the nodes of the chain fail too. */
  readonly hasFaults: boolean;
}

export interface ClusterStormResult {
  readonly seed: string;
  /** From each kill until the next step was in the stream, or the killed fold was up to date. */
  readonly resumeMs: readonly { readonly victim: Victim; readonly ms: number }[];
  /** From the publication of a block to the first answer of a fold with it, by a client that polls. */
  readonly freshnessMs: readonly number[];
  readonly slots: number;
  readonly trades: number;
  /** Differences of any fold from one undisturbed process, in words; empty when correct. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

/**
 * Follows a simulated market with two ingesters and two folds over a stream, kills them and the
 * servers of the stream, and compares each fold with one process that got the same blocks directly.
 */
export async function runClusterStorm(options: ClusterStormOptions): Promise<ClusterStormResult> {
  const startedMs = performance.now();
  const cluster = await ClusterStorm.start(options);
  try {
    await cluster.measureFreshness();
    for (const victim of options.kills) await cluster.kill(victim);
    await cluster.settle();
    const verdicts = [];
    for (const folder of cluster.folders) {
      const calm = temporaryFolder();
      verdicts.push(await judge(cluster.chain, folder, calm));
      rmSync(calm, { recursive: true, force: true });
    }
    const [first] = verdicts;
    return {
      seed: options.seed,
      resumeMs: cluster.resumeMs,
      freshnessMs: cluster.freshnessMs,
      slots: first?.slots ?? 0,
      trades: first?.trades ?? 0,
      differences: [
        ...cluster.disagreements,
        ...verdicts.flatMap(({ differences }, index) =>
          differences.map((words) => `fold ${index}: ${words}`),
        ),
      ],
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } finally {
    await cluster.close();
  }
}

class ClusterStorm {
  readonly chain: StormChain;
  readonly folders = [temporaryFolder(), temporaryFolder()];
  readonly resumeMs: { victim: Victim; ms: number }[] = [];
  readonly freshnessMs: number[] = [];
  readonly disagreements: string[] = [];
  private readonly nats: NatsServers;
  private readonly random: Random;
  private readonly natsCount: number;
  private readonly ingesters = new Map<string, RunningCommand>();
  private readonly folds: StormService[] = [];
  private readonly ending = new AbortController();
  private connection: NatsConnection | null = null;
  private log: JetStreamStepLog | null = null;

  private constructor(chain: StormChain, nats: NatsServers, options: ClusterStormOptions) {
    this.chain = chain;
    this.nats = nats;
    this.natsCount = options.natsServers;
    this.random = new Random(`cluster ${options.seed}`);
  }

  static async start(options: ClusterStormOptions): Promise<ClusterStorm> {
    const nats = await NatsServers.start(options.natsServers);
    const chain = await StormChain.start(options.seed, 2);
    if (!options.hasFaults) chain.calm();
    const storm = new ClusterStorm(chain, nats, options);
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = nats;
    const { signal } = storm.ending;
    storm.connection = await connectToNats({ ...access, addresses }, 'storm', { signal });
    const stream = { name: STREAM, replicas: options.natsServers, maxAgeMs: 3_600_000 };
    storm.log = await JetStreamStepLog.open(storm.connection, stream);
    for (const name of ['ingest-a', 'ingest-b']) storm.startIngester(name);
    for (const index of [0, 1]) storm.startFold(index);
    chain.run(() => storm.reached());
    await storm.untilFolded(() => storm.folds, 0);
    return storm;
  }

  /** Polls a fold until it has answered with a number of blocks. */
  async measureFreshness(): Promise<void> {
    const published = new Map<number, number>();
    const subscription = this.connection?.subscribe(`${STREAM}.steps`, {
      callback: (_, message) => {
        const head = decodeHead(message.headers?.get('Mintscope-Step') ?? '');
        if (typeof head === 'string' || head.step.kind !== 'facts') return;
        published.set(head.step.slot, performance.now());
      },
    });
    const [fold] = this.folds;
    const endMs = performance.now() + PATIENCE_MS;
    while (this.freshnessMs.length < FRESHNESS_BLOCKS && performance.now() < endMs) {
      const { slot } = (await fold?.slotNow()) ?? { slot: 0 };
      for (const [known, atMs] of published) {
        if (known > slot) continue;
        published.delete(known);
        this.freshnessMs.push(performance.now() - atMs);
      }
      await pause(5);
    }
    subscription?.unsubscribe();
  }

  async kill(victim: Victim): Promise<void> {
    await pause(this.random.between(500, 3_000));
    if (victim === 'writer') await this.killWriter();
    else if (victim === 'fold') await this.killFold();
    else await this.killNats();
  }

  /** Both folds have every block that the chain had at the end of the storm, as final. */
  async settle(): Promise<void> {
    this.chain.calm();
    const target = this.chain.tipSlot + CALM_SLOTS;
    await Promise.all(
      this.folds.map((fold) =>
        fold.until(({ finalSlot }) => (finalSlot ?? 0) >= target, PATIENCE_MS),
      ),
    );
    for (const [index, fold] of this.folds.entries()) {
      const { text } = await fold.get('/v1/coverage');
      const { replicas } = JSON.parse(text) as { replicas: { state: string } | null };
      if (replicas?.state === 'agreed') continue;
      this.disagreements.push(`fold ${index}: its state is ${JSON.stringify(replicas)}`);
    }
    for (const ingester of this.ingesters.values()) ingester.process.kill('SIGTERM');
    for (const fold of this.folds) await fold.stop();
  }

  async close(): Promise<void> {
    this.ending.abort();
    for (const ingester of this.ingesters.values()) ingester.process.kill('SIGKILL');
    for (const fold of this.folds) fold.process.process.kill('SIGKILL');
    await this.connection?.close();
    await this.chain.close();
    await this.nats.close();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  private environment(name: string): Record<string, string> {
    return {
      MINTSCOPE_NATS_URL: this.nats.url,
      MINTSCOPE_NATS_STREAM: STREAM,
      MINTSCOPE_NATS_REPLICAS: String(this.natsCount),
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
      MINTSCOPE_REPLICA_NAME: name,
    };
  }

  private startIngester(name: string): void {
    const ingester = new RunningCommand(['start', '--role', 'ingest'], {
      ...this.environment(name),
      SOLANA_RPC_URL: this.chain.url,
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
    });
    this.ingesters.set(name, ingester);
  }

  private startFold(index: number): void {
    this.folds[index] = new StormService({
      dataDir: this.folders[index] ?? '',
      rpcUrl: this.chain.url,
      paths: ['/livez', '/v1/coverage'],
      environment: { ...this.environment(`fold-${index}`), MINTSCOPE_ROLE: 'fold' },
    });
  }

  private reached() {
    const slots = (values: readonly (number | null)[]) => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? null : Math.max(...known);
    };
    return {
      headSlot: slots(this.folds.map(({ figures }) => figures.headSlot)),
      finalSlot: slots(this.folds.map(({ figures }) => figures.finalSlot)),
    };
  }

  private async untilFolded(folds: () => readonly StormService[], slot: number): Promise<void> {
    await Promise.all(
      folds().map((fold) => fold.until(({ finalSlot }) => (finalSlot ?? -1) >= slot, PATIENCE_MS)),
    );
  }

  private async killWriter(): Promise<void> {
    const before = await this.lastHead();
    const [name = ''] = before.head.writer.split(' ');
    const ingester = this.ingesters.get(name);
    if (ingester === undefined) throw new Error(`there is no ingester ${name}`);
    ingester.process.kill('SIGKILL');
    await ingester.finished;
    const { seq } = await this.lastHead();
    await this.resumes('writer', seq);
    this.startIngester(name);
  }

  private async killFold(): Promise<void> {
    const index = this.random.chance(0.5) ? 0 : 1;
    const fold = this.folds[index];
    if (fold === undefined) throw new Error('there is no such fold');
    await fold.kill();
    await pause(this.random.between(0, 2_000));
    const startedMs = performance.now();
    const tipSlot = this.chain.canonical.at(-1)?.block.slot ?? 0;
    this.startFold(index);
    await this.folds[index]?.until(({ headSlot }) => (headSlot ?? 0) >= tipSlot, PATIENCE_MS);
    this.resumeMs.push({ victim: 'fold', ms: performance.now() - startedMs });
  }

  /** Kills the server that leads the stream, and starts it again. */
  private async killNats(): Promise<void> {
    if (this.connection === null) throw new Error('there is no connection');
    const info = await JetStreamStepLog.inspect(this.connection, STREAM);
    const name = info?.cluster?.leader ?? this.nats.names[0] ?? '';
    const { seq } = await this.lastHead();
    await this.nats.kill(name);
    if (this.natsCount === 1) this.nats.restart(name);
    await this.resumes('nats', seq);
    if (this.natsCount > 1) this.nats.restart(name);
    await this.nats.ready();
    await pause(1_000);
  }

  private async resumes(victim: Victim, seq: number): Promise<void> {
    const startedMs = performance.now();
    while ((await this.lastHead()).seq <= seq) {
      if (performance.now() - startedMs > PATIENCE_MS) {
        const outputs = [...this.ingesters.values()].map(({ output }) => output.slice(-2_000));
        throw new Error(`nothing follows message ${seq}:\n${outputs.join('\n')}`);
      }
      await pause(20);
    }
    this.resumeMs.push({ victim, ms: performance.now() - startedMs });
  }

  private async lastHead(): Promise<{ seq: number; head: StepHead }> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (performance.now() < deadlineMs) {
      try {
        const { lastSeq: seq } = (await this.log?.bounds()) ?? { lastSeq: 0 };
        const line = (await this.log?.headAt(seq)) ?? null;
        const head = line === null ? null : decodeHead(line);
        if (head !== null && typeof head !== 'string') return { seq, head };
      } catch {
        // Without a leader the servers do not answer.
      }
      await pause(20);
    }
    throw new Error('the stream does not answer');
  }
}
