import { isSlot } from '../../../model/units.ts';

const BLOCK_ID_BYTES = 32;
const SIGNATURE_BYTES = 192;

/**
 * Whether an answer to `getAgGenesisCert` is the certificate of the first block under certificates
 * (Alpenglow), as documented at https://solana.com/docs/rpc/http/getaggenesiscert. Its signature is
 * not verified. Nodes from before the method was documented write `block_id`.
 */
export function isGenesisCert(result: unknown): boolean {
  const { block, signature } = fieldsOf(result);
  const { slot, blockId, block_id: olderBlockId } = fieldsOf(block);
  const { signature: aggregate, bitmap } = fieldsOf(signature);
  return (
    isSlot(slot) &&
    isBytes(blockId ?? olderBlockId, BLOCK_ID_BYTES) &&
    isBytes(aggregate, SIGNATURE_BYTES) &&
    isBytes(bitmap, null)
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** `length` null: any non-zero length. */
function isBytes(value: unknown, length: number | null): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  if (length !== null && value.length !== length) return false;
  return value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
}
