import { parseShallow } from '../../lib/json-nesting.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import { readUpdateBlock } from '../protobuf/yellowstone-update.ts';
import { type LooseTransaction, type Reading, readBlock } from '../rpc-json/read-block.ts';
import { textOf } from './file-content.ts';
import { readFound } from './read-record.ts';
import { parseContent, type RecordUnit } from './record-unit.ts';

/**
 * The format of a raw block.
 * - `rpc-json`: the answer of an RPC node to a request for the slot, bare or as `result`.
 * - `recorded`: a recorded document in any supported shape.
 * - `yellowstone`: the bytes of a `SubscribeUpdateBlock`.
 */
export type RawBlockEncoding = 'rpc-json' | 'recorded' | 'yellowstone';

/** A block as it arrived, to be read and decoded elsewhere. */
export interface RawBlock {
  readonly slot: Slot;
  readonly encoding: RawBlockEncoding;
  /** The file or endpoint it came from. */
  readonly origin: string;
  /** Bytes, or text instead of UTF-8. */
  readonly content: string | Uint8Array;
}

/** The result of reading and decoding a raw block. */
export type RawBlockDecoding =
  | { readonly status: 'decoded'; readonly facts: SlotFacts }
  /** Not exactly one complete block of its slot. The caller reads it again to find out why. */
  | { readonly status: 'unreadable' }
  /** Decoding stopped unexpectedly; `message` says why. */
  | { readonly status: 'failed'; readonly message: string };

/** Decodes raw blocks off the main thread, several at a time. */
export interface RawBlockDecoder {
  /** How many blocks may usefully be submitted before the first is decoded. */
  readonly aheadMax: number;
  /** Never rejects. The caller keeps the content and must not change it meanwhile. */
  readonly decode: (raw: RawBlock) => Promise<RawBlockDecoding>;
}

/** Reads a raw block; null unless it is exactly one complete, valid block of its slot. */
export function readRawBlock(raw: RawBlock): ChainBlock | null {
  const read = READERS[raw.encoding];
  for (const isLossless of [false, true]) {
    const reading = read(raw, isLossless);
    if (reading?.status === 'imprecise') continue;
    const value = reading?.status === 'ok' ? reading.value : null;
    const isOneBlock = value !== null && 'transactions' in value && value.slot === raw.slot;
    return isOneBlock && value.isWhole ? value : null;
  }
  return null;
}

type AnyReading = Reading<ChainBlock | LooseTransaction> | null;

function readAnswer({ slot, content }: RawBlock, isLossless: boolean): AnyReading {
  const text = typeof content === 'string' ? content : textOf(bufferOf(content));
  try {
    return readBlock(isLossless ? parseLossless(text) : parseShallow(text), slot);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readRecorded({ origin, content }: RawBlock, isLossless: boolean): AnyReading {
  const bytes = typeof content === 'string' ? Buffer.from(content) : bufferOf(content);
  const file = { origin, sizeBytes: bytes.length, format: 'document', namedSlot: null } as const;
  const unit: RecordUnit = { file, line: null };
  const loaded = parseContent(unit, bytes, isLossless);
  const [record, other] = loaded.status === 'ok' ? loaded.records : [];
  return record === undefined || other !== undefined ? null : readFound(unit, record);
}

function readStreamed({ content }: RawBlock): AnyReading {
  return typeof content === 'string' ? null : readUpdateBlock(content);
}

const READERS: Readonly<
  Record<RawBlockEncoding, (raw: RawBlock, isLossless: boolean) => AnyReading>
> = { 'rpc-json': readAnswer, recorded: readRecorded, yellowstone: readStreamed };

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
