import { RunningCommand } from '../support/command-line.ts';

const KEY = 'chaos-bootstrap-key';
/** An answer that takes longer counts as a hanging interface (G5). */
const ANSWER_MS = 5_000;
const START_MS = 60_000;
const POLL_MS = 50;

export interface ServiceSettings {
  readonly dataDir: string;
  readonly rpcUrl: string;
}

/** What the metrics page says, as far as a storm is about it. Counts are of this process. */
export interface ServiceFigures {
  readonly finalSlot: number | null;
  readonly openGaps: number;
  readonly undos: number;
  readonly undoneSlots: number;
}

/** The service in a process of its own, watched through its interface until it ends. */
export class StormService {
  figures: ServiceFigures = { finalSlot: null, openGaps: 0, undos: 0, undoneSlots: 0 };
  readonly process: RunningCommand;
  private url = '';
  private isEnding = false;
  private readonly watching: Promise<void>;

  constructor({ dataDir, rpcUrl }: ServiceSettings) {
    this.process = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir], {
      SOLANA_RPC_URL: rpcUrl,
      MINTSCOPE_BOOTSTRAP_KEY: KEY,
      MINTSCOPE_SOL_USD_FALLBACK: '150',
      MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
      MINTSCOPE_DECODE_WORKERS: '0',
      MINTSCOPE_RATE_LIMIT_PER_MINUTE: '10000000',
      MINTSCOPE_RATE_LIMIT_BURST: '1000000',
      MINTSCOPE_LOG_LEVEL: 'warn',
    });
    this.watching = this.watch();
    // Awaited at the end; what went wrong is said there.
    this.watching.catch(() => undefined);
  }

  /** Resolves once the figures are as asked; rejects after `timeoutMs` and when the process dies. */
  async until(isEnough: (figures: ServiceFigures) => boolean, timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (!isEnough(this.figures)) {
      if (performance.now() > deadlineMs) {
        const said = this.process.errorOutput.slice(-2_000);
        throw new Error(`the service stays at ${JSON.stringify(this.figures)}:\n${said}`);
      }
      await Promise.race([this.watching, pause(POLL_MS)]);
    }
  }

  /** Status and text of a page that needs a key. */
  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(this.url + path, {
      headers: { 'x-api-key': KEY },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** SIGKILL. Throws when the process had ended by itself. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM, and it must have stopped in good order. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.isEnding = true;
    this.process.process.kill(signal);
    const finished = await this.process.finished;
    await this.watching;
    const isAsAsked = signal === 'SIGKILL' ? finished.signal === signal : finished.exitCode === 0;
    if (isAsAsked) return;
    throw new Error(
      `the service ended by itself (${finished.exitCode ?? finished.signal}):\n${finished.stderr}`,
    );
  }

  private async watch(): Promise<void> {
    const listens = /listens on (http:\S+);/;
    try {
      this.url = (await this.process.shows(listens, START_MS))[1] ?? '';
      for (;;) {
        this.figures = figuresOf((await this.get('/metrics')).text);
        await pause(POLL_MS);
      }
    } catch (error) {
      if (!this.isEnding) throw error;
    }
  }
}

function figuresOf(metrics: string): ServiceFigures {
  const value = (name: string): number | null => {
    const line = new RegExp(`^mintscope_${name} (\\S+)$`, 'm').exec(metrics);
    return line === null ? null : Number(line[1]);
  };
  const finalSlot = value('final_slot');
  return {
    // The page shows 0 while there is none.
    finalSlot: finalSlot === 0 ? null : finalSlot,
    openGaps: value('open_gaps') ?? 0,
    undos: value('undos_total') ?? 0,
    undoneSlots: value('undone_slots_total') ?? 0,
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
