import { RunningCommand } from '../support/command-line.ts';
import { AnswerWatch } from './answer-watch.ts';
import { forbiddenLines, missingSlotLine } from './log-laws.ts';
import type { Reached } from './storm-chain.ts';

export const STORM_KEY = 'chaos-bootstrap-key';
/** Time to listen on a busy machine. */
const START_MS = 300_000;
/** What `AnswerWatch` judges has a time of its own: a busy machine fails no storm by itself. */
const GET_MS = 120_000;
const POLL_MS = 50;
/** Characters of the log that a failure message quotes. */
const SAID_CHARS = 3_000;
const LAST_WORDS_MS = 3_000;

export interface ServiceSettings {
  readonly dataDir: string;
  readonly rpcUrl: string;
  /** Any by default. */
  readonly port?: number;
  /** URL of a Yellowstone server; null for none. */
  readonly streamUrl?: string | null;
  /** Paths that are requested all the time (G5). */
  readonly paths: readonly string[];
  /** Settings in addition to those of every storm. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The metrics that a storm needs. Counts are of this process. */
export interface ServiceFigures extends Reached {
  readonly openGaps: number;
  readonly missingSlots: number;
  readonly undos: number;
  readonly undoneSlots: number;
  readonly residentBytes: number;
  /** Pages of the state that left memory. */
  readonly evictedPages: number;
}

/** Measurements of one run of the service. */
export interface LifeReport {
  readonly peakBytes: number;
  readonly answers: number;
  readonly slowestMs: number;
  /** Violations of G3 and G5, in words; empty when correct. */
  readonly offences: readonly string[];
}

/** The service in its own process, observed through its API until it ends. */
export class StormService {
  figures: ServiceFigures = figuresOf('');
  readonly process: RunningCommand;
  private readonly settings: ServiceSettings;
  private readonly watching: Promise<void>;
  private url = '';
  private isEnding = false;
  private polling: Promise<void> = Promise.resolve();
  private frozen: { readonly over: Promise<void>; readonly end: () => void } | null = null;
  private peakBytes = 0;
  private answers: AnswerWatch | null = null;

  constructor(settings: ServiceSettings) {
    this.settings = settings;
    const { streamUrl = null, dataDir, port = 0 } = settings;
    const args = ['start', '--port', String(port), '--data-dir', dataDir];
    this.process = new RunningCommand(args, {
      SOLANA_RPC_URL: settings.rpcUrl,
      ...(streamUrl === null ? {} : { MINTSCOPE_YELLOWSTONE_URL: streamUrl }),
      MINTSCOPE_BOOTSTRAP_KEY: STORM_KEY,
      MINTSCOPE_SOL_USD_FALLBACK: '150',
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      // With a stream a worker decodes; without one the thread that handles the node's answers
      // does.
      MINTSCOPE_DECODE_WORKERS: streamUrl === null ? '0' : '1',
      MINTSCOPE_RATE_LIMIT_PER_MINUTE: '10000000',
      MINTSCOPE_RATE_LIMIT_BURST: '1000000',
      MINTSCOPE_LOG_LEVEL: 'warn',
      ...settings.environment,
    });
    this.watching = this.watch();
    // Awaited at the end, which reports the error.
    this.watching.catch(() => undefined);
  }

  /** Where it listens; empty before it does. */
  get origin(): string {
    return this.url;
  }

  get report(): LifeReport {
    const log = this.process.errorOutput;
    return {
      peakBytes: this.peakBytes,
      answers: this.answers?.answers ?? 0,
      slowestMs: this.answers?.slowestMs ?? 0,
      offences: [...forbiddenLines(log), ...(this.answers?.offences ?? [])],
    };
  }

  /** The log line that reports a slot as missing, null while there is none. */
  missingLine(slot: number): string | null {
    return missingSlotLine(this.process.errorOutput, slot);
  }

  /**
   * Resolves once the figures satisfy the condition; rejects after `timeoutMs` or when the process
   * dies.
   */
  async until(isEnough: (figures: ServiceFigures) => boolean, timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (!isEnough(this.figures)) {
      if (performance.now() > deadlineMs) {
        const logTail = this.process.errorOutput.slice(-SAID_CHARS);
        throw new Error(`the service stays at ${JSON.stringify(this.figures)}:\n${logTail}`);
      }
      await Promise.race([this.watching, pause(POLL_MS)]);
    }
  }

  /** Status and text of a page that needs a key. */
  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(this.url + path, {
      headers: { 'x-api-key': STORM_KEY },
      signal: AbortSignal.timeout(GET_MS),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Status and text of the answer to a body of JSON. */
  async post(
    path: string,
    body: object,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'x-api-key': STORM_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(GET_MS),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** The slot of an answer made now. */
  async slotNow(): Promise<{ readonly slot: number }> {
    const answer = await fetch(`${this.url}/v1/coverage`, { headers: { 'x-api-key': STORM_KEY } });
    await answer.arrayBuffer();
    return { slot: Number(answer.headers.get('x-slot') ?? 0) };
  }

  /** SIGSTOP, when no request is open. Nothing is asked until `thaw`. */
  async freeze(): Promise<void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.frozen = { over, end };
    await this.answers?.stop();
    await this.polling;
    this.process.process.kill('SIGSTOP');
  }

  /** SIGCONT. */
  thaw(): void {
    this.process.process.kill('SIGCONT');
    this.answers = this.watchAnswers();
    this.frozen?.end();
    this.frozen = null;
  }

  /** SIGKILL. Throws when the process had ended by itself. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM; requires an orderly stop. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.isEnding = true;
    this.frozen?.end();
    await this.answers?.stop();
    this.process.process.kill(signal);
    const finished = await this.process.finished;
    await this.watching;
    const isAsAsked = signal === 'SIGKILL' ? finished.signal === signal : finished.exitCode === 0;
    if (isAsAsked) return;
    throw new Error(
      `the service ended by itself (${finished.exitCode ?? finished.signal}):\n${finished.stderr}`,
    );
  }

  private watchAnswers(): AnswerWatch {
    return new AnswerWatch({ url: this.url, key: STORM_KEY, paths: this.settings.paths });
  }

  private async poll(): Promise<void> {
    this.figures = figuresOf((await this.get('/metrics')).text);
    this.peakBytes = Math.max(this.peakBytes, this.figures.residentBytes);
  }

  private async watch(): Promise<void> {
    const listens = /listens on (http:\S+);/;
    try {
      this.url = (await this.process.shows(listens, START_MS))[1] ?? '';
      if (this.isEnding) return;
      this.answers = this.watchAnswers();
      for (;;) {
        await this.frozen?.over;
        this.polling = this.poll();
        await this.polling;
        await pause(POLL_MS);
      }
    } catch (error) {
      if (this.isEnding) return;
      // A dying process logs the reason last.
      await Promise.race([this.process.finished, pause(LAST_WORDS_MS)]);
      const { exitCode, signalCode } = this.process.process;
      const state = exitCode ?? signalCode ?? 'still runs';
      const logTail = this.process.errorOutput.slice(-SAID_CHARS);
      throw new Error(`the service does not answer (${state}):\n${logTail}`, { cause: error });
    }
  }
}

function figuresOf(metrics: string): ServiceFigures {
  const value = (name: string): number => {
    const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics);
    return Number(line?.[1] ?? 0);
  };
  const count = (name: string) => value(`mintscope_${name}`);
  // The metrics show 0 while there is no slot.
  const slot = (name: string) => (count(name) === 0 ? null : count(name));
  return {
    headSlot: slot('slot'),
    finalSlot: slot('final_slot'),
    openGaps: count('open_gaps'),
    missingSlots: count('missing_slots'),
    undos: count('undos_total'),
    undoneSlots: count('undone_slots_total'),
    residentBytes: value('process_resident_memory_bytes'),
    evictedPages: count('state_evicted_pages_total'),
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
