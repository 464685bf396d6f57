import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ApiKeys } from '../api/deps.ts';
import { createMetrics } from '../api/metrics.ts';
import { createServer } from '../api/server.ts';
import { VERSION } from '../version.ts';
import { createLiveReads } from './live-reads.ts';
import { LIVE_LIMITS, LiveView } from './live-view.ts';
import type { ApiSettings, FromApi, ToApi } from './messages.ts';
import { RemoteCalls } from './remote-calls.ts';
import { createServingMetrics } from './serving-metrics.ts';

/** Questions that may wait for the other thread at a time, and how long somebody waits for one. */
const CALL_LIMITS = { openMax: 256, waitMs: 10_000 };

/** The API over what another thread tells it. The caller makes it listen, and closes it. */
export interface Api {
  readonly app: FastifyInstance;
  /** What the other thread tells. */
  take(message: Exclude<ToApi, { readonly kind: 'close' }>): void;
}

export function createApi(
  post: (message: FromApi) => void,
  keys: ApiKeys,
  settings: Omit<ApiSettings, 'host' | 'port' | 'dataDir' | 'logLevel'>,
  logger: FastifyBaseLogger,
): Api {
  const calls = new RemoteCalls(CALL_LIMITS, post);
  const view = new LiveView(LIVE_LIMITS, (rows) => post({ kind: 'unwatch', rows }));
  const metrics = createServingMetrics(createMetrics(), view, calls);
  const deps = { keys, ...createLiveReads(view, calls), metrics, nowMs: Date.now };
  return {
    app: createServer(deps, { version: VERSION, ...settings, logger }),
    take(message) {
      if (message.kind === 'answer') calls.answered(message.id, message.answer);
      else if (message.kind === 'refusal') calls.failed(message.id, message.fault);
      else {
        view.publish(message.publication);
        post({ kind: 'seen' });
      }
    },
  };
}
