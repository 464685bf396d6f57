import { type RawBlock, readRawBlock } from '../recorded/raw-block.ts';
import type { BlockRequest } from '../rpc/nodes/block-fetcher.ts';
import { postJson } from '../rpc/nodes/post-json.ts';
import { testimonyOf } from './block-testimony.ts';
import { decodeRawBlock } from './decode-raw-block.ts';
import type { BlockResult, FetchedBlock } from './thread-messages.ts';

/** Shorter answers usually contain an error, not a block. */
const DECODE_BYTES_MIN = 4_096;

/** Posts a request and decodes the answer, on the calling thread. */
export async function requestBlock(
  id: number,
  { slot, origin, target, text, limits, wants }: BlockRequest,
  signal: AbortSignal,
): Promise<FetchedBlock> {
  const posted = await postJson(target, text, limits, signal);
  if (posted.status === 'failed') return { kind: 'fetched', id, ...posted };
  const { body } = posted;
  const raw = { slot, encoding: 'rpc-json', origin, content: body } as const;
  const read = body.length < DECODE_BYTES_MIN ? null : READERS[wants](raw);
  return { kind: 'fetched', id, ...(read ?? { status: 'unread', body }) };
}

/** Null unless the body is exactly one complete block of its slot. */
const READERS: Readonly<Record<BlockRequest['wants'], (raw: RawBlock) => BlockResult | null>> = {
  facts: (raw) => {
    const { encodedFacts } = decodeRawBlock(raw);
    return encodedFacts === null ? null : { status: 'decoded', encodedFacts };
  },
  testimony: (raw) => {
    const block = readRawBlock(raw);
    return block === null ? null : { status: 'testified', testimony: testimonyOf(block) };
  },
};
