import { rmSync } from 'node:fs';
import { StormChain } from '../chaos/storm-chain.ts';
import { RunningCommand, temporaryFolder } from './command-line.ts';
import { NatsServers } from './nats.ts';

const KEY = 'control-bootstrap-key';
const PATIENCE_MS = 200_000;

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the text of any endpoint
  readonly body: any;
}

/** A replica in its own process. */
export class ReplicaProcess {
  readonly command: RunningCommand;
  private url = '';

  constructor(dataDir: string, environment: Readonly<Record<string, string>>) {
    this.command = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir], {
      ...environment,
      MINTSCOPE_ROLE: 'fold',
      MINTSCOPE_BOOTSTRAP_KEY: KEY,
      MINTSCOPE_SOL_USD_FALLBACK: '150',
      MINTSCOPE_RATE_LIMIT_PER_MINUTE: '10000000',
      MINTSCOPE_RATE_LIMIT_BURST: '1000000',
      MINTSCOPE_LOG_LEVEL: 'warn',
    });
  }

  async listens(): Promise<void> {
    this.url = (await this.command.shows(/listens on (http:\S+);/, PATIENCE_MS))[1] ?? '';
  }

  async ask(method: string, path: string, body?: object, key = KEY): Promise<Answered> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  async metric(name: string): Promise<number> {
    const answer = await fetch(`${this.url}/metrics`, { headers: { 'x-api-key': KEY } });
    const line = new RegExp(`^mintscope_${name} (\\S+)$`, 'm').exec(await answer.text());
    return Number(line?.[1] ?? 0);
  }
}

/** Two ingesters and two replicas of a simulated market over one NATS server. */
export class ControlCluster {
  readonly folders = [temporaryFolder(), temporaryFolder()];
  readonly replicas: ReplicaProcess[] = [];
  readonly ingesters: RunningCommand[] = [];
  readonly nats: NatsServers;
  private readonly chain: StormChain;
  private readonly environment: Readonly<Record<string, string>>;
  private headSlot: number | null = null;
  private finalSlot: number | null = null;
  private readonly watching: NodeJS.Timeout;

  private constructor(nats: NatsServers, chain: StormChain, origin: string) {
    this.nats = nats;
    this.chain = chain;
    this.environment = {
      MINTSCOPE_NATS_URL: nats.url,
      MINTSCOPE_NATS_REPLICAS: '1',
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
      MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: origin,
    };
    this.watching = setInterval(() => void this.watch(), 200);
  }

  /** `origin`: a receiver of webhooks on this machine. */
  static async start(seed: string, origin: string): Promise<ControlCluster> {
    const nats = await NatsServers.start(1);
    const chain = await StormChain.start(seed, 2);
    chain.calm();
    const cluster = new ControlCluster(nats, chain, origin);
    for (const index of [0, 1]) cluster.startIngester(index);
    for (const index of [0, 1]) cluster.startReplica(index);
    await Promise.all(cluster.replicas.map((replica) => replica.listens()));
    chain.run(() => ({ headSlot: cluster.headSlot, finalSlot: cluster.finalSlot }));
    return cluster;
  }

  startReplica(index: number): ReplicaProcess {
    const name = { MINTSCOPE_REPLICA_NAME: `fold-${index}` };
    const replica = new ReplicaProcess(this.folders[index] ?? '', { ...this.environment, ...name });
    this.replicas[index] = replica;
    return replica;
  }

  startIngester(index: number): void {
    this.ingesters[index] = new RunningCommand(['start', '--role', 'ingest'], {
      ...this.environment,
      MINTSCOPE_REPLICA_NAME: `ingest-${index}`,
      SOLANA_RPC_URL: this.chain.url,
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
    });
  }

  async kill(command: RunningCommand): Promise<void> {
    command.process.kill('SIGKILL');
    await command.finished;
  }

  /** Kills the ingester that writes; the other one takes over. */
  async killWriter(): Promise<void> {
    const begins = /this ingester (?:begins|takes over)/g;
    const counts = this.ingesters.map(({ output }) => [...output.matchAll(begins)].length);
    const index = (counts[1] ?? 0) > (counts[0] ?? 0) ? 1 : 0;
    const writer = this.ingesters[index];
    if (writer === undefined) throw new Error('no ingester writes');
    await this.kill(writer);
    this.startIngester(index);
  }

  async close(): Promise<void> {
    clearInterval(this.watching);
    for (const command of [...this.ingesters, ...this.replicas.map((one) => one.command)]) {
      if (command.process.exitCode !== null || command.process.signalCode !== null) continue;
      await this.kill(command);
    }
    await this.chain.close();
    await this.nats.close();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  private async watch(): Promise<void> {
    const known = await Promise.all(
      this.replicas.map(async (replica) => [
        await replica.metric('slot').catch(() => 0),
        await replica.metric('final_slot').catch(() => 0),
      ]),
    );
    this.headSlot = Math.max(...known.map(([head = 0]) => head)) || null;
    this.finalSlot = Math.max(...known.map(([, final = 0]) => final)) || null;
  }
}
