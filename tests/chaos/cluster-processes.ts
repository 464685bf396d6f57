import { rmSync } from 'node:fs';
import type { JetStreamManager } from '@nats-io/jetstream';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Beat } from '../../src/cluster/beats.ts';
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { connectToNats } from '../../src/cluster/nats-connection.ts';
import { decodeHead, type StepHead } from '../../src/cluster/step-head.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { freePorts } from '../support/free-ports.ts';
import { NatsServers } from '../support/nats.ts';
import { NatsNetwork } from '../support/nats-network.ts';
import { ApiNode } from './api-node.ts';
import { StormChain } from './storm-chain.ts';
import { pause, StormService } from './storm-service.ts';

/** Longest time for anything to happen on a busy machine. */
export const PATIENCE_MS = 400_000;
/** Of a test with several waits, on a machine with much else to do. */
export const CLUSTER_TEST_MS = 900_000;
export const STREAM = 'storm';
const POLL_MS = 20;
/** Characters of the log of a process that a failure message quotes. */
const SAID_CHARS = 2_000;

export interface ClusterOptions {
  readonly seed: string;
  readonly natsServers: 1 | 3;
  /** Whether the nodes of the chain fail too. */
  readonly hasFaults: boolean;
  readonly folds?: number;
  /** Nodes without a state before the folds, which are read all the time; none by default. */
  readonly apiNodes?: number;
  /** Whether each ingester has a node of its own; by default both ask both. */
  readonly hasOwnNodes?: boolean;
  /** Settings of single processes, by name. */
  readonly environments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface LoggedHead extends StepHead {
  readonly seq: number;
}

/**
 * Two ingesters and some folds as processes that follow one simulated chain over a stream, each with
 * a network of its own to the servers.
 */
export class ClusterProcesses {
  readonly chain: StormChain;
  readonly nats: NatsServers;
  readonly folds: StormService[] = [];
  readonly folders: string[] = [];
  readonly apiNodes: ApiNode[] = [];
  /** The last sign of life of each ingester, by its name. */
  readonly beats = new Map<string, Beat['state']>();
  private readonly options: ClusterOptions;
  private readonly ingesters = new Map<string, RunningCommand>();
  private readonly networks = new Map<string, NatsNetwork>();
  /** Of the folds, where nodes ask them. */
  private ports: readonly number[] = [];
  private readonly ending = new AbortController();
  private opened: {
    readonly connection: NatsConnection;
    readonly log: JetStreamStepLog;
    readonly manager: JetStreamManager;
  } | null = null;

  private constructor(options: ClusterOptions, nats: NatsServers, chain: StormChain) {
    this.options = options;
    this.nats = nats;
    this.chain = chain;
  }

  /** Resolves once every fold has answered with a final slot. */
  static async start(options: ClusterOptions): Promise<ClusterProcesses> {
    const nats = await NatsServers.start(options.natsServers);
    const chain = await StormChain.start(options.seed, 2);
    if (!options.hasFaults) chain.calm();
    const cluster = new ClusterProcesses(options, nats, chain);
    try {
      await cluster.open();
      for (const name of ['ingest-a', 'ingest-b']) await cluster.startIngester(name);
      const folds = options.folds ?? 2;
      if (options.apiNodes !== undefined) cluster.ports = await freePorts(folds);
      for (let index = 0; index < folds; index++) await cluster.startFold(index);
      chain.run(() => cluster.reached());
      await cluster.untilFinal(0);
      await cluster.startApiNodes(options.apiNodes ?? 0);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  get connection(): NatsConnection {
    return this.parts.connection;
  }

  get manager(): JetStreamManager {
    return this.parts.manager;
  }

  /** Of all processes. */
  get names(): readonly string[] {
    return [...this.networks.keys()];
  }

  ingester(name: string): RunningCommand {
    const ingester = this.ingesters.get(name);
    if (ingester === undefined) throw new Error(`there is no ingester ${name}`);
    return ingester;
  }

  fold(index: number): StormService {
    const fold = this.folds[index];
    if (fold === undefined) throw new Error(`there is no fold ${index}`);
    return fold;
  }

  /** The network between a process and the servers. */
  network(name: string): NatsNetwork {
    const network = this.networks.get(name);
    if (network === undefined) throw new Error(`there is no process ${name}`);
    return network;
  }

  async startIngester(name: string): Promise<void> {
    const [first, second] = this.chain.urls;
    const own = name === 'ingest-a' ? first : second;
    const ingester = new RunningCommand(['start', '--role', 'ingest'], {
      ...(await this.environmentOf(name)),
      SOLANA_RPC_URL: this.options.hasOwnNodes === true ? (own ?? '') : this.chain.url,
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
    });
    this.ingesters.set(name, ingester);
  }

  async startFold(index: number): Promise<void> {
    this.folders[index] ??= temporaryFolder();
    this.folds[index] = new StormService({
      dataDir: this.folders[index],
      rpcUrl: this.chain.url,
      port: this.ports[index] ?? 0,
      paths: ['/livez', '/v1/coverage'],
      environment: { ...(await this.environmentOf(`fold-${index}`)), MINTSCOPE_ROLE: 'fold' },
    });
  }

  /** The last message. Waits for servers that have no leader. */
  async lastHead(): Promise<LoggedHead> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (performance.now() < deadlineMs) {
      try {
        const { lastSeq: seq } = await this.parts.log.bounds();
        const line = await this.parts.log.headAt(seq);
        const head = line === null ? null : decodeHead(line);
        if (head !== null && typeof head !== 'string') return { seq, ...head };
      } catch {
        // Without a leader the servers do not answer.
      }
      await pause(POLL_MS);
    }
    throw new Error('the stream does not answer');
  }

  /** All messages that are in the stream now. */
  async heads(): Promise<LoggedHead[]> {
    const { firstSeq, lastSeq } = await this.parts.log.bounds();
    const heads: LoggedHead[] = [];
    const ending = new AbortController();
    for await (const { seq, head: line } of this.parts.log.follow(firstSeq, {
      headsOnly: true,
      signal: ending.signal,
    })) {
      const head = line === null ? null : decodeHead(line);
      if (head === null || typeof head === 'string') throw new Error(`message ${seq}: ${head}`);
      heads.push({ seq, ...head });
      if (seq >= lastSeq) ending.abort();
    }
    return heads;
  }

  /** The name of the ingester that appended last. */
  async writer(): Promise<string> {
    return writerOf(await this.lastHead());
  }

  /** Resolves with the time in milliseconds until a message after `seq` is in the stream. */
  follows(seq: number, isWanted: (head: LoggedHead) => boolean = () => true): Promise<number> {
    return this.until(`a message after ${seq}`, async () => {
      const head = await this.lastHead();
      return head.seq > seq && isWanted(head);
    });
  }

  /** Resolves with the time in milliseconds until the condition is true. */
  async until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<number> {
    const startedMs = performance.now();
    while (!(await isTrue())) {
      if (performance.now() - startedMs > PATIENCE_MS) {
        const said = [...this.ingesters].map(
          ([name, { output }]) => `${name}: ${output.slice(-SAID_CHARS)}`,
        );
        throw new Error(`never came: ${what}\n${said.join('\n')}`);
      }
      await pause(POLL_MS);
    }
    return performance.now() - startedMs;
  }

  /** Resolves once all folds, or the given ones, have this slot as final. */
  async untilFinal(slot: number, folds: readonly StormService[] = this.folds): Promise<void> {
    await Promise.all(
      folds.map((fold) => fold.until(({ finalSlot }) => (finalSlot ?? -1) >= slot, PATIENCE_MS)),
    );
  }

  /** Ends the nodes, the ingesters and then the folds, in good order. */
  async stop(): Promise<void> {
    for (const node of this.apiNodes) await node.close();
    for (const { process } of this.ingesters.values()) process.kill('SIGTERM');
    for (const fold of this.folds) await fold.stop();
  }

  async close(): Promise<void> {
    this.ending.abort();
    for (const node of this.apiNodes) await node.close();
    for (const { process } of this.ingesters.values()) process.kill('SIGKILL');
    for (const { process } of this.folds) process.process.kill('SIGKILL');
    await this.opened?.connection.close();
    await this.chain.close();
    for (const network of this.networks.values()) await network.close();
    await this.nats.close();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  private async startApiNodes(count: number): Promise<void> {
    const replicas = this.ports.map((port) => `http://127.0.0.1:${port}`);
    for (const port of await freePorts(count)) this.apiNodes.push(new ApiNode(port, replicas));
    for (const node of this.apiNodes) await node.untilUp();
  }

  private get parts() {
    if (this.opened === null) throw new Error('the stream is not open');
    return this.opened;
  }

  private async open(): Promise<void> {
    const access = { user: null, password: null, token: null, isEncrypted: false };
    const { addresses } = this.nats;
    const { signal } = this.ending;
    const connection = await connectToNats({ ...access, addresses }, 'storm', { signal });
    const stream = { name: STREAM, replicas: this.options.natsServers, maxAgeMs: 3_600_000 };
    const log = await JetStreamStepLog.open(connection, stream);
    this.opened = { connection, log, manager: await jetstreamManager(connection) };
    connection.subscribe(`${STREAM}-ingesters`, {
      callback: (_, message) => {
        const { ingester, state } = JSON.parse(message.string()) as Beat;
        this.beats.set(nameOf(ingester), state);
      },
    });
  }

  private async environmentOf(name: string): Promise<Record<string, string>> {
    const network = this.networks.get(name) ?? (await NatsNetwork.open(this.nats.ports));
    this.networks.set(name, network);
    return {
      MINTSCOPE_NATS_URL: network.url,
      MINTSCOPE_NATS_STREAM: STREAM,
      MINTSCOPE_NATS_REPLICAS: String(this.options.natsServers),
      MINTSCOPE_NATS_OLD_SERVERS: 'allow',
      MINTSCOPE_REPLICA_NAME: name,
      ...this.options.environments?.[name],
    };
  }

  private reached() {
    const highest = (values: readonly (number | null)[]) => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? null : Math.max(...known);
    };
    return {
      headSlot: highest(this.folds.map(({ figures }) => figures.headSlot)),
      finalSlot: highest(this.folds.map(({ figures }) => figures.finalSlot)),
    };
  }
}

export function writerOf({ writer }: StepHead): string {
  return nameOf(writer);
}

/** Without what tells runs of one process apart. */
function nameOf(ingester: string): string {
  return ingester.split(' ')[0] ?? '';
}
