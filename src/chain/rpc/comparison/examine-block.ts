import type { Clock } from '../../../lib/clock.ts';
import type { ChainPoint } from '../../block-link.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import type { BlockFetcher } from '../nodes/block-fetcher.ts';
import { fetchBlock, fetchTestimony } from '../nodes/fetch-block.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { RpcNode } from '../nodes/rpc-node.ts';
import type { BlockReading, BlockWitness, Testimony } from '../nodes/testimony.ts';
import { hasPruned } from '../tasks/slot-tasks.ts';
import { type Refutation, Statements } from './statements.ts';

export interface ExaminationOptions {
  readonly pool: NodePool;
  readonly fetcher: BlockFetcher | null;
  readonly reading: BlockReading;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A block as it was first emitted. */
export interface Subject {
  readonly point: ChainPoint;
  readonly digest: string;
  readonly blockWitness: BlockWitness;
  /** Time on the clock from which the block is accepted unverified. */
  readonly untilMs: number;
}

/**
 * The result of asking other nodes.
 * - `agreed`: the first version is correct. `corrected`: `block` is the correct version.
 * - `undecided`: versions differ, and nothing decides between them.
 * - `unverified`: there was no other node, or none that had the block in time.
 * `refuted` lists those whose version was wrong.
 */
export type Verdict =
  | { readonly kind: 'agreed'; readonly refuted: readonly Refutation[] }
  | {
      readonly kind: 'corrected';
      readonly block: LinkedBlock;
      readonly refuted: readonly Refutation[];
    }
  | { readonly kind: 'undecided'; readonly blockWitnesses: readonly BlockWitness[] }
  | { readonly kind: 'unverified' };

/** How many times all nodes are asked again about a block whose versions differ. */
const ROUNDS_MAX = 6;
/**
 * Pause after the first round; doubles with each further round. A block damaged in transit arrives
 * intact another time.
 */
const ROUND_PAUSE_MS = 50;
/** A node that does not have the block yet is asked again after this; doubles each time. */
const AGAIN_MS = 150;
const AGAIN_MAX_MS = 2_000;
/** A version that all nodes repeat this often is not damaged in transit. */
const STEADY_ROUNDS = 3;
const FETCHES_MAX = 4;

/**
 * Asks a second node for its version of a block. If it differs, all nodes are asked again until
 * most agree; if they do not, the version with the fewest contradictions is accepted. Never rejects
 * because of a node's behaviour.
 */
export async function examineBlock(
  subject: Subject,
  options: ExaminationOptions,
): Promise<Verdict> {
  const second = await firstOther(subject, options);
  if (second === null) return { kind: 'unverified' };
  if (second.testimony.digest === subject.digest) return { kind: 'agreed', refuted: [] };
  const statements = new Statements(isWitness);
  const { digest, blockWitness } = subject;
  statements.add({ blockWitness, digest, faults: null });
  addTestimony(statements, second.node, second.testimony);
  let steady = 0;
  for (let round = 0; round < ROUNDS_MAX && !options.signal.aborted; round++) {
    steady = (await askAll(subject, statements, options)) ? steady + 1 : 0;
    if (statements.agreedDigest !== null || steady >= STEADY_ROUNDS) break;
    await options.clock.sleep(ROUND_PAUSE_MS * 2 ** round, options.signal);
  }
  const right = statements.agreedDigest ?? statements.soundestDigest;
  if (options.signal.aborted) return { kind: 'unverified' };
  return right === null
    ? { kind: 'undecided', blockWitnesses: [blockWitness, second.node] }
    : settle(subject, right, statements, options);
}

async function settle(
  subject: Subject,
  right: string,
  statements: Statements,
  options: ExaminationOptions,
): Promise<Verdict> {
  const refuted = statements.refutedBy(right);
  if (right === subject.digest) return { kind: 'agreed', refuted };
  const blockWitnesses = statements.witnessesOf(right);
  const block = await fetchAs(subject.point, right, blockWitnesses, options);
  return block === null
    ? { kind: 'undecided', blockWitnesses }
    : { kind: 'corrected', block, refuted };
}

interface NodeTestimony {
  readonly node: RpcNode;
  readonly testimony: Testimony;
}

/** The testimony of the first other node that has the block; null when none does in time. */
async function firstOther(
  { point, blockWitness, untilMs }: Subject,
  { pool, clock, ...options }: ExaminationOptions,
): Promise<NodeTestimony | null> {
  const { signal } = options;
  const asked = new Set<RpcNode>();
  let againMs = AGAIN_MS;
  while (!signal.aborted && clock.nowMs() < untilMs) {
    const able = pool.nodes.filter((node) => node !== blockWitness && isAble(node, point));
    if (able.length === 0) return null;
    const unable = pool.nodes.filter((node) => !able.includes(node));
    const choice = pool.choose(clock.nowMs(), new Set([...unable, ...asked]));
    if (choice.kind === 'wait') {
      asked.clear();
      const pauseMs = Math.min(againMs, Math.max(1, untilMs - clock.nowMs()));
      await clock.sleep(pauseMs, signal);
      againMs = Math.min(againMs * 2, AGAIN_MAX_MS);
      continue;
    }
    const { node } = choice;
    asked.add(node);
    const testimony = await ask(node, point, options);
    if (testimony !== null) return { node, testimony };
  }
  return null;
}

function isAble(node: RpcNode, point: ChainPoint): boolean {
  return node.isWitness && !node.isCoolingDown && !hasPruned(node, point);
}

/** Null for a failure, and for a block of another branch. */
async function ask(
  node: RpcNode,
  { slot, blockhash }: ChainPoint,
  { fetcher, reading, signal }: Pick<ExaminationOptions, 'fetcher' | 'reading' | 'signal'>,
): Promise<Testimony | null> {
  const fetched = await fetchTestimony(node, slot, fetcher, reading, signal);
  const isIt = fetched.status === 'ok' && fetched.testimony.blockhash === blockhash;
  return isIt ? fetched.testimony : null;
}

/**
 * Asks all nodes that are available within their limits; a stream's statement stays as it was.
 * Resolves to whether all of them repeated their previous statement.
 */
async function askAll(
  { point }: Subject,
  statements: Statements,
  { pool, clock, ...options }: ExaminationOptions,
): Promise<boolean> {
  const able = pool.nodes.filter((node) => isAble(node, point));
  const repeated = await Promise.all(
    able.map(async (node) => {
      const waitMs = node.waitMs(clock.nowMs());
      if (waitMs > 0) await clock.sleep(Math.min(waitMs, AGAIN_MS), options.signal);
      if (node.waitMs(clock.nowMs()) > 0) return false;
      const testimony = await ask(node, point, options);
      return testimony !== null && addTestimony(statements, node, testimony);
    }),
  );
  return repeated.every((isRepeated) => isRepeated);
}

function addTestimony(
  statements: Statements,
  node: RpcNode,
  { digest, faults }: Testimony,
): boolean {
  return statements.add({ blockWitness: node, digest, faults });
}

/** Fetches the version with this digest from these nodes; null when none returns it again. */
async function fetchAs(
  { slot, blockhash }: ChainPoint,
  digest: string,
  blockWitnesses: readonly BlockWitness[],
  { fetcher, clock, reading, signal }: ExaminationOptions,
): Promise<LinkedBlock | null> {
  const nodes = blockWitnesses.filter((blockWitness) => blockWitness instanceof RpcNode);
  for (let fetch = 0; fetch < FETCHES_MAX && !signal.aborted; fetch++) {
    const node = nodes[fetch % nodes.length];
    if (node === undefined) return null;
    const waitMs = node.waitMs(clock.nowMs());
    await clock.sleep(Math.min(waitMs, AGAIN_MS), signal);
    if (node.waitMs(clock.nowMs()) > 0) continue;
    const fetched = await fetchBlock(node, slot, fetcher, signal);
    if (fetched.status === 'failed') continue;
    const { block } = fetched;
    if (block.blockhash === blockhash && reading.digestOf(block.item) === digest) return block;
  }
  return null;
}

/** Whether this emitter's statement counts against those of others. */
export function isWitness(blockWitness: BlockWitness): boolean {
  return !(blockWitness instanceof RpcNode) || blockWitness.isWitness;
}
