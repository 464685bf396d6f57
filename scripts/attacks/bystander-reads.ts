import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/live-statistics.ts';
import type { TradedPool } from '../../bench/live-tape.ts';

/** Results of one group of reads. */
export interface ReadFigures {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

interface Sample {
  readonly tookMs: number;
  readonly status: number;
}

const ANSWER_MS = 30_000;

/** Reads of the store by a calm client: at fixed times, independent of earlier answers. */
export class BystanderReads {
  private samples: Sample[] = [];
  private isRunning = true;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** Reads with these keys in turn until `stop`. */
  async run(
    url: string,
    keys: readonly string[],
    perSecond: number,
    pools: () => readonly TradedPool[],
  ): Promise<void> {
    const startMs = performance.now();
    for (let count = 0; this.isRunning; count++) {
      const waitMs = startMs + (count * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const known = pools();
      const pool = known[count % Math.max(1, known.length)];
      if (pool !== undefined) this.read(url + pathOf(pool, count), keys[count % keys.length]);
    }
    this.agent.destroy();
  }

  stop(): void {
    this.isRunning = false;
  }

  /** Results since the last call. */
  take(): ReadFigures {
    const { samples } = this;
    this.samples = [];
    return figuresOf(samples);
  }

  private read(url: string, key: string | undefined): void {
    const sentAtMs = performance.now();
    const done = (status: number) =>
      this.samples.push({ tookMs: performance.now() - sentAtMs, status });
    const request = get(url, { agent: this.agent, headers: { 'x-api-key': key } });
    request.setTimeout(ANSWER_MS, () => request.destroy());
    request.on('response', (response) => {
      response.on('end', () => done(response.statusCode ?? 0));
      response.on('error', () => done(0));
      response.resume();
    });
    request.on('error', () => done(0));
  }
}

export function figuresOf(samples: readonly Sample[]): ReadFigures {
  const took = samples.map(({ tookMs }) => tookMs);
  const statuses: Record<string, number> = {};
  for (const { status } of samples) statuses[status] = (statuses[status] ?? 0) + 1;
  const [p50Ms, p99Ms] = [percentile(took, 0.5), percentile(took, 0.99)];
  return { count: samples.length, p50Ms, p99Ms, statuses };
}

function pathOf({ mint, pool }: TradedPool, count: number): string {
  const paths = [
    `/v1/market/ohlc?token_address=${mint}&interval=30s`,
    '/v1/tokens?per_page=20',
    `/v1/token/${mint}/holders`,
    `/v1/market/ohlc?token_address=${mint}&pair_address=${pool}&interval=1m`,
  ];
  return paths[count % paths.length] ?? '/v1/tokens';
}
