import type { Mutable } from '../../lib/mutable.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { readBlockTimeMs, readSlot, textOrNull } from './confirmed-block.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

/** The fields of a block update other than its transactions. */
export interface BlockMeta {
  readonly slot: Slot;
  readonly parentSlot: Slot;
  readonly blockhash: string | null;
  readonly previousBlockhash: string | null;
  /** Milliseconds since 1970, null when the chain recorded none. */
  readonly blockTimeMs: number | null;
  /** Votes included. */
  readonly executedTransactionCount: number;
}

/** Field numbers of the fields that both messages about blocks share. */
export interface BlockFields {
  readonly parentSlot: number;
  readonly parentBlockhash: number;
  readonly executedTransactionCount: number;
  /** 0 where there are none. */
  readonly transactions: number;
  /** 0 where there is none. */
  readonly bankId: number;
}

/** In `SubscribeUpdateBlock`. */
export const BLOCK_FIELDS: BlockFields = {
  parentSlot: 7,
  parentBlockhash: 8,
  executedTransactionCount: 9,
  transactions: 6,
  bankId: 0,
};

/** In `SubscribeUpdateBlockMeta`. */
export const BLOCK_META_FIELDS: BlockFields = {
  parentSlot: 6,
  parentBlockhash: 7,
  executedTransactionCount: 8,
  transactions: 0,
  bankId: 10,
};

/**
 * Reads one of the two messages to its end. `spans` holds start and end of each transaction
 * alternately, as offsets into `reader.bytes`. Throws RecordRefusal for malformed input.
 */
export function readBlockFields(
  reader: ProtobufReader,
  fields: BlockFields,
): { readonly meta: BlockMeta; readonly spans: readonly number[]; readonly bankId: bigint } {
  const meta: Mutable<BlockMeta> = {
    slot: asSlot(0),
    parentSlot: asSlot(0),
    blockhash: null,
    previousBlockhash: null,
    blockTimeMs: null,
    executedTransactionCount: 0,
  };
  const spans: number[] = [];
  let bankId = 0n;
  while (reader.next()) {
    if (reader.field === fields.transactions) {
      reader.span();
      spans.push(reader.start, reader.end);
    } else if (reader.field === fields.bankId) bankId = reader.unsigned();
    else readBlockField(reader, fields, meta);
  }
  return { meta, spans, bankId };
}

function readBlockField(
  reader: ProtobufReader,
  fields: BlockFields,
  meta: Mutable<BlockMeta>,
): void {
  const { field } = reader;
  if (field === 1) meta.slot = readSlot(reader);
  else if (field === 2) meta.blockhash = textOrNull(reader.text());
  else if (field === 4) meta.blockTimeMs = readBlockTimeMs(reader);
  else if (field === fields.parentSlot) meta.parentSlot = readSlot(reader);
  else if (field === fields.parentBlockhash) meta.previousBlockhash = textOrNull(reader.text());
  else if (field === fields.executedTransactionCount) {
    meta.executedTransactionCount = reader.count(Number.MAX_SAFE_INTEGER, 'transaction count');
  } else reader.skip();
}
