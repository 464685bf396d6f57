import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessFamily, processFamily } from './process-family.ts';
import { startScript } from './start-script.ts';

const KEY = 'live-bench-key-0123456789';
const START_MS = 120_000;
const STOP_MS = 60_000;
const ANSWER_MS = 30_000;
/** A service under attack may close a connection before it has read the request. */
const METRICS_TRIES = 5;
/** The last part of its output, for an error message. */
const OUTPUT_CHARS_MAX = 8_000;

export interface ServiceOptions {
  readonly dataDir: string;
  /** The node to follow; null for the simulated market. */
  readonly rpcUrl: string | null;
  /** Folder for processor profiles, null for none. */
  readonly profileDir: string | null;
  /** Additional settings, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Limit of open files; that of this process when omitted. */
  readonly openFilesMax?: number;
}

/** The service as an operator starts it, in its own process, observed only from outside. */
export class LiveService {
  readonly key = KEY;
  private readonly child: ChildProcess;
  private output = '';
  private baseUrl = '';

  constructor({ dataDir, rpcUrl, profileDir, settings = {}, openFilesMax }: ServiceOptions) {
    const profiling = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const main = resolve('src/main.ts');
    const { environment, options } = startScript();
    const market = rpcUrl === null ? ['--simulate'] : [];
    const place = ['--port', '0', '--data-dir', dataDir];
    const args = [...options, ...profiling, main, 'start', ...market, ...place];
    const command = [process.execPath, ...args];
    const limited =
      openFilesMax === undefined
        ? command
        : ['sh', '-c', `ulimit -n ${openFilesMax}; exec "$0" "$@"`, ...command];
    this.child = spawn(limited[0] as string, limited.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environmentWithoutSettings(), ...environment, ...settingsFor(rpcUrl), ...settings },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-OUTPUT_CHARS_MAX);
      });
    }
  }

  /** Its address, once it listens. Throws when it ends before. */
  async url(): Promise<string> {
    const deadlineMs = performance.now() + START_MS;
    while (this.baseUrl === '') {
      this.assertRuns();
      if (performance.now() > deadlineMs) throw this.failure('the service never listened');
      this.baseUrl = /listens on (http:\S+);/.exec(this.output)?.[1] ?? '';
      await sleep(10);
    }
    return this.baseUrl;
  }

  assertRuns(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) return;
    throw this.failure(`the service ended by itself (${exitCode ?? signalCode})`);
  }

  /** Reads the metrics page. */
  async metrics(): Promise<Metrics> {
    const url = `${await this.url()}/metrics`;
    let page = '';
    for (let tries = METRICS_TRIES; page === '' && tries > 0; tries--) {
      try {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const answer = await fetch(url, { headers: { 'x-api-key': KEY }, signal });
        page = answer.ok ? await answer.text() : '';
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (tries > 1) continue;
        throw this.failure(`the metrics page did not answer (${error.message})`, error);
      }
    }
    if (page === '') throw this.failure('the metrics page is refused');
    return new Metrics(page);
  }

  /** Id of its process. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resources of it and the processes it started; null where the system does not report them. */
  family(): ProcessFamily | null {
    return this.child.pid === undefined ? null : processFamily(this.child.pid);
  }

  /** SIGTERM; throws when it does not stop in an orderly way. */
  async stop(): Promise<void> {
    this.assertRuns();
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill('SIGTERM');
    await Promise.race([ended, sleep(STOP_MS, null, { ref: false })]);
    if (this.child.exitCode === 0) return;
    this.child.kill('SIGKILL');
    throw this.failure(`the service stopped with ${this.child.exitCode ?? 'SIGKILL'}`);
  }

  /** Kills it. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  private failure(sentence: string, cause?: Error): Error {
    return new Error(`${sentence}:\n${this.output.slice(-2_000)}`, { cause });
  }
}

/** A metrics page. */
export class Metrics {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A sample without labels, 0 when the page has none. */
  value(name: string): number {
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(this.text)?.[1] ?? 0);
  }

  /** The sum of a metric's samples whose labels contain `part`. */
  sum(name: string, part = ''): number {
    const samples = this.text.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'));
    let sum = 0;
    for (const [, labels = '', value] of samples) if (labels.includes(part)) sum += Number(value);
    return sum;
  }
}

function settingsFor(rpcUrl: string | null): Record<string, string> {
  return {
    ...(rpcUrl !== null && { SOLANA_RPC_URL: rpcUrl }),
    MINTSCOPE_BOOTSTRAP_KEY: KEY,
    // The default is a public node's limit; this node is the operator's own.
    MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
    MINTSCOPE_RATE_LIMIT_PER_MINUTE: '10000000',
    MINTSCOPE_RATE_LIMIT_BURST: '1000000',
    MINTSCOPE_LOG_LEVEL: 'warn',
  };
}

function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) {
    if (name.startsWith('MINTSCOPE_') || name === 'SOLANA_RPC_URL') delete environment[name];
  }
  return environment;
}
