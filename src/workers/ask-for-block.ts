import type { BlockQuestion } from '../sources/rpc/block-asker.ts';
import { postJson } from '../sources/rpc/post-json.ts';
import { decodeRawBlock } from './decode-raw-block.ts';
import type { Asked } from './thread-messages.ts';

/** Shorter answers hold an error more often than a block. */
const DECODE_BYTES_MIN = 4_096;

/** Posts a question and decodes what comes, on the thread it is called on. */
export async function askForBlock(
  id: number,
  { slot, origin, target, text, limits }: BlockQuestion,
  signal: AbortSignal,
): Promise<Asked> {
  const posted = await postJson(target, text, limits, signal);
  if (posted.status === 'failed') return { kind: 'asked', id, ...posted };
  const { body } = posted;
  const { encodedFacts } =
    body.length < DECODE_BYTES_MIN
      ? { encodedFacts: null }
      : decodeRawBlock({ slot, encoding: 'rpc-json', origin, content: body });
  if (encodedFacts !== null) return { kind: 'asked', id, status: 'decoded', encodedFacts };
  return { kind: 'asked', id, status: 'unread', body };
}
