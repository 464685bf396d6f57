import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from '@nats-io/transport-node';
import { temporaryFolder } from './command-line.ts';
import { freePorts } from './free-ports.ts';

/** Whether the program is installed (`apt-get install nats-server`). */
export const HAS_NATS = spawnSync('nats-server', ['--version']).status === 0;

/** Says that tests are skipped, as those of other programs do. */
export function warnWithoutNats(): void {
  if (HAS_NATS) return;
  process.stderr.write('nats-server is not installed: tests of several machines are skipped.\n');
}

interface Server {
  readonly name: string;
  readonly port: number;
  readonly routePort: number;
  readonly folder: string;
  process: ChildProcess;
}

const START_MS = 20_000;

/** One or three NATS servers on loopback, whose streams are in temporary folders. */
export class NatsServers {
  private readonly servers: Server[] = [];

  static async start(count: 1 | 3): Promise<NatsServers> {
    const nats = new NatsServers();
    const ports = await freePorts(2 * count);
    for (let index = 0; index < count; index++) {
      const [port = 0, routePort = 0] = ports.slice(2 * index);
      const name = `n${index}`;
      nats.servers.push({
        name,
        port,
        routePort,
        folder: temporaryFolder(),
        process: null as never,
      });
    }
    for (const server of nats.servers) nats.spawn(server);
    await nats.ready();
    return nats;
  }

  /** As the setting has it. */
  get url(): string {
    return this.servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  }

  get addresses(): readonly string[] {
    return this.servers.map(({ port }) => `127.0.0.1:${port}`);
  }

  get ports(): readonly number[] {
    return this.servers.map(({ port }) => port);
  }

  get names(): readonly string[] {
    return this.servers.map(({ name }) => name);
  }

  /** Resolves when JetStream answers, which needs a leader among three. */
  async ready(): Promise<void> {
    const deadlineMs = performance.now() + START_MS;
    while (performance.now() < deadlineMs) {
      if (await this.answers()) return;
      await pause(100);
    }
    throw new Error('the NATS servers do not answer');
  }

  async version(): Promise<string> {
    const connection = await connect({ servers: [...this.addresses] });
    const { version = '' } = connection.info ?? {};
    await connection.close();
    return version;
  }

  async kill(name: string): Promise<void> {
    const { process } = this.serverOf(name);
    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
  }

  restart(name: string): void {
    this.spawn(this.serverOf(name));
  }

  async close(): Promise<void> {
    for (const { process, folder } of this.servers) {
      if (process.exitCode === null && process.signalCode === null) {
        const ended = new Promise((resolve) => process.once('exit', resolve));
        process.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private serverOf(name: string): Server {
    const server = this.servers.find((one) => one.name === name);
    if (server === undefined) throw new Error(`there is no NATS server ${name}`);
    return server;
  }

  private spawn(server: Server): void {
    const { name, port, routePort, folder } = server;
    const routes = this.servers.map((one) => `nats://127.0.0.1:${one.routePort}`).join(',');
    const cluster =
      this.servers.length === 1
        ? []
        : [
            '--cluster_name',
            'tests',
            '--cluster',
            `nats://127.0.0.1:${routePort}`,
            '--routes',
            routes,
            // Clients stay on the addresses that they were given, which may be those of a proxy.
            '--no_advertise',
          ];
    server.process = spawn(
      'nats-server',
      ['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', folder, ...cluster],
      { stdio: 'ignore' },
    );
  }

  private async answers(): Promise<boolean> {
    try {
      const connection = await connect({
        servers: [...this.addresses],
        timeout: 1_000,
        reconnect: false,
      });
      try {
        const answer = await connection.request('$JS.API.STREAM.NAMES', '', { timeout: 1_000 });
        return !answer.string().includes('"error"');
      } finally {
        await connection.close();
      }
    } catch {
      return false;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
