import { ProtobufWriter } from '../../lib/protobuf-writer.ts';
import { BLOCK_FIELDS, type BlockMeta } from './block-fields.ts';

/**
 * Encodes a `SubscribeUpdateBlock` for a block received as single transactions: `infos` are their
 * `SubscribeUpdateTransactionInfo`s in order of arrival, votes included.
 */
export function encodeBlockUpdate(meta: BlockMeta, infos: readonly Uint8Array[]): Uint8Array {
  const { slot, blockhash, blockTimeMs, parentSlot, previousBlockhash } = meta;
  const writer = new ProtobufWriter();
  writer.unsigned(1, slot);
  writer.text(2, blockhash ?? '');
  if (blockTimeMs !== null) {
    writer.message(4, () => writer.unsigned(1, BigInt(blockTimeMs) / MS_PER_SECOND));
  }
  for (const info of infos) writer.bytes(BLOCK_FIELDS.transactions, info);
  writer.unsigned(BLOCK_FIELDS.parentSlot, parentSlot);
  writer.text(BLOCK_FIELDS.parentBlockhash, previousBlockhash ?? '');
  writer.unsigned(BLOCK_FIELDS.executedTransactionCount, meta.executedTransactionCount);
  return writer.done();
}

const MS_PER_SECOND = 1_000n;
