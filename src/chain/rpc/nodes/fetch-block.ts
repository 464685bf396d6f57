import { parseLossless } from '../../../lib/lossless-json.ts';
import type { Slot } from '../../../model/units.ts';
import type { BlockLink } from '../../block-link.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import { readBlock } from '../../rpc-json/read-block.ts';
import type { BlockAnswer, BlockFetcher, BlockRequest } from './block-fetcher.ts';
import { codeFailure, type RpcFailure, unfitBlock } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';
import type { BlockReading, Testimony } from './testimony.ts';

export type BlockFetch =
  | { readonly status: 'ok'; readonly block: LinkedBlock }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * Fetches a confirmed block, as a whole or not at all: an incomplete block is of no use. `fetcher`,
 * if given, does it off this thread.
 */
export async function fetchBlock(
  node: RpcNode,
  slot: Slot,
  fetcher: BlockFetcher | null,
  signal: AbortSignal,
): Promise<BlockFetch> {
  const { encoding } = node;
  const answer = await requestAnswer(node, slot, 'facts', fetcher, signal);
  if (answer.status === 'failed') return answer;
  const fetched =
    answer.status === 'decoded'
      ? linked({ kind: 'facts', facts: answer.facts }, answer.facts)
      : readAnswer(node, slot, answer);
  return judged(node, encoding, fetched);
}

export type TestimonyFetch =
  | { readonly status: 'ok'; readonly testimony: Testimony }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/** Fetches a node's testimony on a slot, to compare it with others. */
export async function fetchTestimony(
  node: RpcNode,
  slot: Slot,
  fetcher: BlockFetcher | null,
  { testimonyOf }: BlockReading,
  signal: AbortSignal,
): Promise<TestimonyFetch> {
  const { encoding } = node;
  const answer = await requestAnswer(node, slot, 'testimony', fetcher, signal);
  if (answer.status === 'failed') return answer;
  if (answer.status === 'testified') {
    node.judge(null);
    return { status: 'ok', testimony: answer.testimony };
  }
  const fetched = judged(node, encoding, readAnswer(node, slot, answer));
  if (fetched.status === 'failed') return fetched;
  const { item } = fetched.block;
  if (item.kind === 'facts') throw new RangeError('facts were not requested');
  return { status: 'ok', testimony: testimonyOf(item.block) };
}

/** Records the quality of an answer, and an encoding that the node does not support. */
function judged(node: RpcNode, encoding: RpcNode['encoding'], fetched: BlockFetch): BlockFetch {
  node.judge(fetched.status === 'failed' ? fetched.failure : null);
  const isRefused = fetched.status === 'failed' && fetched.failure.name === 'rpc -32602';
  if (!isRefused || encoding === 'json') return fetched;
  // The encoding that every node supports.
  node.encoding = 'json';
  return failed({ ...fetched.failure, action: 'retry' });
}

const BLOCK_OPTIONS = {
  transactionDetails: 'full',
  rewards: false,
  maxSupportedTransactionVersion: 1,
  commitment: 'confirmed',
} as const;

async function requestAnswer(
  node: RpcNode,
  slot: Slot,
  wants: BlockRequest['wants'],
  fetcher: BlockFetcher | null,
  signal: AbortSignal,
): Promise<BlockAnswer> {
  const params = [slot, { ...BLOCK_OPTIONS, encoding: node.encoding }];
  if (fetcher !== null) {
    return node.send<BlockAnswer>('getBlock', params, (target, text, limits) =>
      fetcher.fetch({ slot, origin: node.label, target, text, limits, wants }, signal),
    );
  }
  const posted = await node.post('getBlock', params, signal);
  return posted.status === 'failed' ? posted : { status: 'unread', body: posted.body };
}

/** Reads an answer that the fetcher did not read. */
function readAnswer(node: RpcNode, slot: Slot, answer: BlockAnswer): BlockFetch {
  if (answer.status !== 'unread') throw new RangeError(`unexpected answer: ${answer.status}`);
  return readHere(node, slot, answer.body);
}

function readHere(node: RpcNode, slot: Slot, body: Buffer): BlockFetch {
  const answer = node.readResult(body);
  if (answer.status === 'failed') return answer;
  if (answer.result === null) return failed(codeFailure(-32004, 'the node answers null'));
  let reading = readBlock(answer.result, slot);
  if (reading.status === 'imprecise') reading = readBlock(parseLossless(body.toString()), slot);
  if (reading.status === 'imprecise') {
    return failed(unfitBlock('an integer is too long', 'bad-transaction'));
  }
  if (reading.status === 'refused') {
    const prefix = reading.position === null ? '' : `${reading.position}: `;
    return failed(unfitBlock(`${prefix}${reading.message}`, reading.code));
  }
  const block = reading.value;
  if (!block.isWhole) return failed(unfitBlock('transactions were left out', 'bad-transaction'));
  return linked({ kind: 'block', block }, block);
}

type Links = { readonly [Name in keyof BlockLink]: BlockLink[Name] | null };

function linked(item: LinkedBlock['item'], links: Links): BlockFetch {
  const { slot, blockhash, parentSlot, previousBlockhash } = links;
  if (slot === null || blockhash === null || parentSlot === null || previousBlockhash === null) {
    return failed(unfitBlock('the block lacks its link to the parent', 'bad-transaction'));
  }
  return { status: 'ok', block: { slot, blockhash, parentSlot, previousBlockhash, item } };
}

function failed(failure: RpcFailure): BlockFetch {
  return { status: 'failed', failure };
}
