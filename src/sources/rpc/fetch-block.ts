import { parseLossless } from '../../lib/lossless-json.ts';
import type { Slot } from '../../model/units.ts';
import type { BlockLink } from '../block-link.ts';
import type { RawBlockDecoder } from '../raw-block.ts';
import { readBlock } from '../rpc-json/read-block.ts';
import type { SourceItem } from '../source.ts';
import { codeFailure, type RpcFailure, unfitBlock } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';

/** A whole block, linked, as the log takes it. */
export interface FetchedBlock extends BlockLink {
  readonly item: Extract<SourceItem, { readonly kind: 'block' | 'facts' }>;
}

export type BlockFetch =
  | { readonly status: 'ok'; readonly block: FetchedBlock }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/** Answers shorter than this hold an error more often than a block: they are not worth a thread. */
const DECODE_BYTES_MIN = 4_096;

/**
 * Asks a node for a confirmed block, whole or not at all: a block with anything missing is worth no
 * more than none. Large ones are decoded by `decoder` where there is one.
 */
export async function fetchBlock(
  node: RpcNode,
  slot: Slot,
  decoder: RawBlockDecoder | null,
  signal: AbortSignal,
): Promise<BlockFetch> {
  const { encoding } = node;
  const answer = await node.post('getBlock', [slot, { ...BLOCK_OPTIONS, encoding }], signal);
  if (answer.status === 'failed') return answer;
  const fetched = await readAnswer(node, slot, answer.body, decoder);
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

async function readAnswer(
  node: RpcNode,
  slot: Slot,
  body: Buffer,
  decoder: RawBlockDecoder | null,
): Promise<BlockFetch> {
  if (decoder === null || body.length < DECODE_BYTES_MIN) return readHere(node, slot, body);
  const raw = { slot, encoding: 'rpc-json', origin: node.label, content: body } as const;
  const decoding = await decoder.decode(raw);
  if (decoding.status === 'failed') {
    return failed({ ...unfitBlock(decoding.message, 'decoder-stopped'), action: 'retry' });
  }
  if (decoding.status === 'unreadable') return readHere(node, slot, body);
  const { facts } = decoding;
  return linked({ kind: 'facts', facts }, facts);
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

function linked(item: FetchedBlock['item'], links: Links): BlockFetch {
  const { slot, blockhash, parentSlot, previousBlockhash } = links;
  if (slot === null || blockhash === null || parentSlot === null || previousBlockhash === null) {
    return failed(unfitBlock('the block does not say where it stands', 'bad-transaction'));
  }
  return { status: 'ok', block: { slot, blockhash, parentSlot, previousBlockhash, item } };
}

function failed(failure: RpcFailure): BlockFetch {
  return { status: 'failed', failure };
}
