import type { Clock } from '../../../lib/clock.ts';
import type { Endpoint } from './endpoint.ts';
import { NodePool } from './node-pool.ts';
import { RpcNode } from './rpc-node.ts';
import type { RpcTuning } from './rpc-options.ts';

export interface NodePoolOptions {
  /** The preferred one first. */
  readonly endpoints: readonly Endpoint[];
  readonly tuning: RpcTuning;
  readonly clock: Clock;
  /** Numbers from 0 to below 1, for jitter. */
  readonly random: () => number;
}

/**
 * Nodes for everybody who asks them: limits and health are each node's own, so that whoever shares
 * the pool shares them.
 */
export function createNodePool({ endpoints, tuning, clock, random }: NodePoolOptions): NodePool {
  const nodes = endpoints.map((endpoint) => new RpcNode(endpoint, { clock, random, ...tuning }));
  return new NodePool(nodes, tuning.behindSlotsMax);
}
