import type { LinkedBlock } from '../../chain/block-stream.ts';
import type { Endpoint } from '../../chain/rpc/nodes/endpoint.ts';
import { fetchBlock } from '../../chain/rpc/nodes/fetch-block.ts';
import type { PostLimits } from '../../chain/rpc/nodes/post-json.ts';
import type { RpcFailure } from '../../chain/rpc/nodes/rpc-failure.ts';
import { RpcNode, type RpcResult } from '../../chain/rpc/nodes/rpc-node.ts';
import { isSlot, type Slot } from '../../model/units.ts';
import { type NodeDate, readNodeDate } from './node-date.ts';

/** Answers of a node to independent requests. Times are by the local clock. */
export interface NodeFacts {
  readonly label: string;
  readonly version: RpcResult<string>;
  /** Of any HTTP answer, even one that is not a node's; null if there is none. */
  readonly date: NodeDate | null;
  /** Null if the node could not be reached; no further requests were made. */
  readonly more: MoreNodeFacts | null;
}

export interface MoreNodeFacts {
  readonly health: RpcResult<string>;
  readonly genesisHash: RpcResult<string>;
  readonly firstSlot: RpcResult<Slot>;
  readonly finalSlot: RpcResult<Slot>;
  readonly block: BlockFacts | null;
  readonly latencyMs: number;
  readonly burst: BurstFacts;
}

/** A recent block, requested in the same way as by the service. */
export interface BlockFacts {
  readonly slot: Slot;
  readonly encoding: 'base64' | 'json';
  readonly fetched: RpcResult<LinkedBlock>;
}

export interface BurstFacts {
  readonly sent: number;
  readonly answered: number;
  /** Number of failures by name. */
  readonly failures: Readonly<Record<string, number>>;
  readonly tookMs: number;
}

export interface NodeQuestions {
  readonly deadlineMs: number;
  /** Requests sent at once. */
  readonly burst: number;
  readonly signal: AbortSignal;
}

const ANSWER_BYTES_MAX = 128 * 2 ** 20;
/** Effectively no rate limit: only a few requests are made here. */
const NO_RATE = 10_000;

/** Queries one node for everything the service needs. */
export async function readNodeFacts(
  endpoint: Endpoint,
  questions: NodeQuestions,
): Promise<NodeFacts> {
  const { label } = endpoint;
  const { deadlineMs, signal } = questions;
  const node = examinedNode(endpoint, { deadlineMs, answerBytesMax: ANSWER_BYTES_MAX });
  const [version, date] = await Promise.all([
    node.call('getVersion', [], readVersion, signal),
    readNodeDate(endpoint, deadlineMs),
  ]);
  if (version.status === 'failed' && isUnreachable(version.failure)) {
    return { label, version, date, more: null };
  }
  const startMs = performance.now();
  const finalSlot = await node.call('getSlot', [{ commitment: 'finalized' }], readSlot, signal);
  const latencyMs = performance.now() - startMs;
  const [health, genesisHash, firstSlot, block] = await Promise.all([
    node.call('getHealth', [], readText, signal),
    node.call('getGenesisHash', [], readText, signal),
    node.call('getFirstAvailableBlock', [], readSlot, signal),
    finalSlot.status === 'ok' ? readRecentBlock(node, finalSlot.result, signal) : null,
  ]);
  const burst = await readBurst(node, questions);
  const more = { health, genesisHash, firstSlot, finalSlot, block, latencyMs, burst };
  return { label, version, date, more };
}

/** A node without rate limit and circuit breaker. */
export function examinedNode(endpoint: Endpoint, limits: PostLimits): RpcNode {
  return new RpcNode(endpoint, {
    clock: { nowMs: () => performance.now(), sleep: async () => undefined },
    random: Math.random,
    requestsPerSecond: NO_RATE,
    limits,
    health: { circuitFailures: NO_RATE, backoffBaseMs: 0, backoffMaxMs: 0 },
  });
}

/** True if the failure was not an RPC error of the node. */
function isUnreachable({ name }: RpcFailure): boolean {
  return !name.startsWith('rpc ');
}

async function readRecentBlock(
  node: RpcNode,
  slot: Slot,
  signal: AbortSignal,
): Promise<BlockFacts> {
  let fetched = await fetchBlock(node, slot, null, signal);
  // A node without base64 support is switched to JSON by the first request.
  if (fetched.status === 'failed' && node.encoding === 'json') {
    fetched = await fetchBlock(node, slot, null, signal);
  }
  const result: RpcResult<LinkedBlock> =
    fetched.status === 'ok' ? { status: 'ok', result: fetched.block } : fetched;
  return { slot, encoding: node.encoding, fetched: result };
}

async function readBurst(node: RpcNode, { burst, signal }: NodeQuestions): Promise<BurstFacts> {
  const startMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: burst }, () => node.call('getSlot', [], readSlot, signal)),
  );
  const failures: Record<string, number> = {};
  for (const answer of answers) {
    if (answer.status === 'ok') continue;
    failures[answer.failure.name] = (failures[answer.failure.name] ?? 0) + 1;
  }
  const answered = answers.filter(({ status }) => status === 'ok').length;
  return { sent: burst, answered, failures, tookMs: performance.now() - startMs };
}

function readVersion(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('solana-core' in result)) return null;
  return readText(result['solana-core']);
}

function readSlot(result: unknown): Slot | null {
  return isSlot(result) ? result : null;
}

/** A short single-line text of a node. */
function readText(result: unknown): string | null {
  return typeof result === 'string' && /^[\x20-\x7e]{1,100}$/.test(result) ? result : null;
}
