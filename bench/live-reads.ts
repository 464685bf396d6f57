import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './live-node.ts';
import type { TradedPool } from './live-tape.ts';

/** `bare` is /livez: no row, no other thread. */
export type ReadRoute = 'token' | 'indicators' | 'bare';

/** A read that was answered or failed. */
export interface Read {
  readonly route: ReadRoute;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** 0 without an answer. */
  readonly status: number;
  /** `x-slot` of the answer, null where it has none. */
  readonly slot: number | null;
}

export interface HotReadsOptions {
  readonly url: string;
  /** Keys, used in turn. */
  readonly keys: readonly string[];
  readonly perSecond: number;
  /** Pools to read at present; empty while none is known. */
  readonly pools: () => readonly TradedPool[];
  readonly onRead: (read: Read) => void;
}

const ANSWER_MS = 10_000;
/** One in this many reads is bare. */
const BARE_EVERY = 10;

/**
 * Reads tokens and indicators of pools in turn, at fixed times: a slow answer does not delay later
 * reads, so that no read is missing from the figures because of slowness.
 */
export class HotReads {
  /** Delay of each read against its planned time, which is the delay of this process itself. */
  readonly lateMs: number[] = [];
  private readonly options: HotReadsOptions;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 512 });
  private isRunning = true;

  constructor(options: HotReadsOptions) {
    this.options = options;
  }

  /** Reads until `stop`. */
  async run(): Promise<void> {
    const intervalMs = 1_000 / this.options.perSecond;
    const startMs = nowMs();
    for (let count = 0; this.isRunning; count++) {
      const dueMs = startMs + count * intervalMs;
      const waitMs = dueMs - nowMs();
      if (waitMs > 0) await sleep(waitMs);
      this.lateMs.push(Math.max(0, nowMs() - dueMs));
      this.read(count);
    }
    this.agent.destroy();
  }

  stop(): void {
    this.isRunning = false;
  }

  private read(count: number): void {
    const { url, keys, pools, onRead } = this.options;
    const known = pools();
    const chosen = known[(count >> 1) % Math.max(1, known.length)];
    if (chosen === undefined) return;
    const route = routeOf(count);
    const path = pathOf(route, chosen);
    const headers = { 'x-api-key': keys[count % keys.length] };
    const sentAtMs = nowMs();
    const done = (status: number, slot: number | null) =>
      onRead({ route, sentAtMs, answeredAtMs: nowMs(), status, slot });
    const request = get(url + path, { agent: this.agent, headers });
    request.setTimeout(ANSWER_MS, () => request.destroy());
    request.on('response', (response) => {
      const slot = response.headers['x-slot'];
      response.on('end', () =>
        done(response.statusCode ?? 0, slot === undefined ? null : Number(slot)),
      );
      response.on('error', () => done(0, null));
      response.resume();
    });
    request.on('error', () => done(0, null));
  }
}

function routeOf(count: number): ReadRoute {
  if (count % BARE_EVERY === BARE_EVERY - 1) return 'bare';
  return count % 2 === 0 ? 'token' : 'indicators';
}

function pathOf(route: ReadRoute, { mint, pool }: TradedPool): string {
  if (route === 'bare') return '/livez';
  return route === 'token' ? `/v1/token/${mint}` : `/v1/indicators/current?pair_address=${pool}`;
}
