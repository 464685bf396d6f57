import { RunningCommand } from '../support/command-line.ts';
import { pause, STORM_KEY } from './storm-service.ts';

const PATHS = ['/v1/tokens?limit=5', '/v1/coverage', '/v1/pools?limit=5', '/v1/key'];
/** Between two reads of one reader. */
const PAUSE_MS = 50;
/** A read of a replica that hangs is asked of another one after 15 s. */
const READ_MS = 60_000;
const SHOWN_CHARS = 200;

/** What readers of a node saw. */
export interface ReadReport {
  readonly answers: number;
  /** The longest time for an answer of a node that was not harmed, in milliseconds. */
  readonly slowestMs: number;
  /** Reads that were not answered with 200, though the node was not harmed, in words. */
  readonly offences: readonly string[];
}

/** A process of the role `api` on a port of its own, and a reader that asks it all the time. */
export class ApiNode {
  readonly origin: string;
  private readonly port: number;
  private readonly replicas: readonly string[];
  private readonly ending = new AbortController();
  private readonly reading: Promise<void>;
  private readonly seen = { answers: 0, slowestMs: 0, offences: [] as string[] };
  private command: RunningCommand;
  /** Reads that began in a life of the node that was ended count for nothing. */
  private life = 0;
  private isUp = false;

  /** `replicas`: origins that stay the same over restarts of the replicas. */
  constructor(port: number, replicas: readonly string[]) {
    this.port = port;
    this.replicas = replicas;
    this.origin = `http://127.0.0.1:${port}`;
    this.command = this.start();
    this.reading = this.read();
  }

  get report(): ReadReport {
    return this.seen;
  }

  /** SIGKILL and a new process; resolves with the milliseconds until it has answered. */
  async replace(awayMs: number): Promise<number> {
    this.isUp = false;
    this.life++;
    this.command.process.kill('SIGKILL');
    await this.command.finished;
    await pause(awayMs);
    const startedMs = performance.now();
    this.command = this.start();
    await this.untilUp();
    return performance.now() - startedMs;
  }

  /** Resolves once it has answered a read since it was started. */
  async untilUp(): Promise<void> {
    while (!this.isUp) {
      const { exitCode, signalCode } = this.command.process;
      if (exitCode !== null || signalCode !== null) {
        throw new Error(`the node ended by itself:\n${this.command.output}`);
      }
      await pause(PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.reading;
    this.command.process.kill('SIGKILL');
    await this.command.finished;
  }

  private start(): RunningCommand {
    return new RunningCommand([
      ...['start', '--role', 'api', '--port', String(this.port)],
      ...['--replicas', this.replicas.join(',')],
    ]);
  }

  private async read(): Promise<void> {
    for (let turn = 0; !this.ending.signal.aborted; turn++) {
      const { life } = this;
      const startedMs = performance.now();
      const offence = await this.offenceOf(PATHS[turn % PATHS.length] ?? '/v1/coverage');
      if (this.ending.signal.aborted) return;
      if (life === this.life) this.count(offence, performance.now() - startedMs);
      await pause(PAUSE_MS);
    }
  }

  private count(offence: string | null, ms: number): void {
    // Before its first answer it starts, and refuses connections.
    if (!this.isUp && offence !== null) return;
    this.isUp = true;
    this.seen.answers++;
    this.seen.slowestMs = Math.max(this.seen.slowestMs, ms);
    if (offence !== null) this.seen.offences.push(offence);
  }

  /** Null for an answer with 200. */
  private async offenceOf(path: string): Promise<string | null> {
    try {
      const answer = await fetch(this.origin + path, {
        headers: { 'x-api-key': STORM_KEY },
        signal: AbortSignal.any([AbortSignal.timeout(READ_MS), this.ending.signal]),
      });
      const text = await answer.text();
      return answer.status === 200
        ? null
        : `${path}: ${answer.status} ${text.slice(0, SHOWN_CHARS)}`;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      return `${path}: ${error.message}`;
    }
  }
}
