import type { FastifyBaseLogger } from 'fastify';
import type { BrowserOptions } from '../http/browser-access.ts';
import type { FailedKeys } from '../http/failed-keys.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AccountLanes } from '../lanes/lanes.ts';
import type { StreamLimit } from '../streams/stream-limit.ts';

export interface ServerOptions extends BrowserOptions {
  /** Version of the service, shown in the OpenAPI document. */
  readonly version: string;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  /** Counts requests by key; by default a new limiter with the rate and burst above. */
  readonly rateLimiter?: RateLimiter;
  /** Whether /readyz and /metrics answer other machines without a key. */
  readonly openOps: boolean;
  /** Counts open streams of all protocols; a new counter by default. */
  readonly streamLimit?: StreamLimit;
  /** Concurrency limits of each account; new lanes by default. */
  readonly lanes?: AccountLanes;
  /** Counts wrong keys by address across all protocols; a new counter by default. */
  readonly failedKeys?: FailedKeys;
  /** Maximum number of open connections, including idle ones. */
  readonly connectionsMax?: number;
  /** Requests are logged at debug, internal errors at error. No logging by default. */
  readonly logger?: FastifyBaseLogger;
}
