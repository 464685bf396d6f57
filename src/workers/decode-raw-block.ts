import { decodeBlock } from '../decoders/decode-block.ts';
import { type RawBlock, readRawBlock } from '../sources/raw-block.ts';
import { encodeSlotFacts } from '../store/facts-codec.ts';

/** What a decode worker answers: the slot as the log stores it, null for what is not one whole block. */
export interface WorkerAnswer {
  readonly encodedFacts: string | null;
}

/** Raw block → encoded facts, on the thread it is called on. */
export function decodeRawBlock(raw: RawBlock): WorkerAnswer {
  const block = readRawBlock(raw);
  return { encodedFacts: block === null ? null : encodeSlotFacts(decodeBlock(block)) };
}
