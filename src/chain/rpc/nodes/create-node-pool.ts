import type { Clock } from '../../../lib/clock.ts';
import type { Endpoint } from './endpoint.ts';
import { NodePool } from './node-pool.ts';
import { RpcNode } from './rpc-node.ts';
import type { RpcTuning } from './rpc-options.ts';

export interface NodePoolOptions {
  /** In order of preference. */
  readonly endpoints: readonly Endpoint[];
  readonly tuning: RpcTuning;
  readonly clock: Clock;
  /** Returns numbers in [0, 1), for jitter. */
  readonly random: () => number;
}

/**
 * Creates nodes for all users of the pool: each node keeps its own rate limit and health, which the
 * users share.
 */
export function createNodePool({ endpoints, tuning, clock, random }: NodePoolOptions): NodePool {
  const nodes = endpoints.map((endpoint) => new RpcNode(endpoint, { clock, random, ...tuning }));
  return new NodePool(nodes, tuning.behindSlotsMax);
}
