import { parseLossless } from '../../lib/lossless-json.ts';
import type { Slot } from '../../model/units.ts';
import type { BlockLink } from '../block-link.ts';
import type { LinkedBlock } from '../block-stream.ts';
import { readBlock } from '../rpc-json/read-block.ts';
import type { BlockAnswer, BlockAsker } from './block-asker.ts';
import { codeFailure, type RpcFailure, unfitBlock } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';

export type BlockFetch =
  | { readonly status: 'ok'; readonly block: LinkedBlock }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * Asks a node for a confirmed block, whole or not at all: a block with anything missing is worth no
 * more than none. `asker` does it off this thread where there is one.
 */
export async function fetchBlock(
  node: RpcNode,
  slot: Slot,
  asker: BlockAsker | null,
  signal: AbortSignal,
): Promise<BlockFetch> {
  const { encoding } = node;
  const params = [slot, { ...BLOCK_OPTIONS, encoding }];
  const answer = await ask(node, slot, params, asker, signal);
  if (answer.status === 'failed') return answer;
  const fetched =
    answer.status === 'decoded'
      ? linked({ kind: 'facts', facts: answer.facts }, answer.facts)
      : readHere(node, slot, answer.body);
  node.judge(fetched.status === 'failed' ? fetched.failure : null);
  const isRefused = fetched.status === 'failed' && fetched.failure.name === 'rpc -32602';
  if (!isRefused || encoding === 'json') return fetched;
  // What every node knows.
  node.encoding = 'json';
  return failed({ ...fetched.failure, action: 'retry' });
}

const BLOCK_OPTIONS = {
  transactionDetails: 'full',
  rewards: false,
  maxSupportedTransactionVersion: 1,
  commitment: 'confirmed',
} as const;

async function ask(
  node: RpcNode,
  slot: Slot,
  params: readonly unknown[],
  asker: BlockAsker | null,
  signal: AbortSignal,
): Promise<BlockAnswer> {
  if (asker !== null) {
    return node.send<BlockAnswer>('getBlock', params, (target, text, limits) =>
      asker.ask({ slot, origin: node.label, target, text, limits }, signal),
    );
  }
  const posted = await node.post('getBlock', params, signal);
  return posted.status === 'failed' ? posted : { status: 'unread', body: posted.body };
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
    const place = reading.position === null ? '' : `${reading.position}: `;
    return failed(unfitBlock(`${place}${reading.message}`, reading.code));
  }
  const block = reading.value;
  if (!block.isWhole) return failed(unfitBlock('transactions were left out', 'bad-transaction'));
  return linked({ kind: 'block', block }, block);
}

type Links = { readonly [Name in keyof BlockLink]: BlockLink[Name] | null };

function linked(item: LinkedBlock['item'], links: Links): BlockFetch {
  const { slot, blockhash, parentSlot, previousBlockhash } = links;
  if (slot === null || blockhash === null || parentSlot === null || previousBlockhash === null) {
    return failed(unfitBlock('the block does not say where it stands', 'bad-transaction'));
  }
  return { status: 'ok', block: { slot, blockhash, parentSlot, previousBlockhash, item } };
}

function failed(failure: RpcFailure): BlockFetch {
  return { status: 'failed', failure };
}
