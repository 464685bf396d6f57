import { decodeBlock } from '../../decoders/decode-block.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { type RawBlock, readRawBlock } from '../recorded/raw-block.ts';
import type { Decoded } from './thread-messages.ts';

/**
 * Reads and decodes a raw block on the calling thread; `encodedFacts` is null if it is unreadable.
 */
export function decodeRawBlock(raw: RawBlock): Decoded {
  const block = readRawBlock(raw);
  return { encodedFacts: block === null ? null : encodeSlotFacts(decodeBlock(block)) };
}
