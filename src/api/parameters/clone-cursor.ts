import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { ApiError } from '../../model/errors.ts';
import type { CloneCursor } from '../../model/off-chain.ts';
import type { Address } from '../../model/units.ts';

/** Maximum length of a cursor: 16 digits, a point and 44 letters, as base64. */
export const CLONE_CURSOR_LENGTH_MAX = 84;

const CURSOR = /^([0-9]{1,16})\.([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Encodes a position in the order of clones as an opaque text. */
export function writeCloneCursor({ createdSlot, mint }: CloneCursor): string {
  return Buffer.from(`${createdSlot}.${mint}`).toString('base64url');
}

/** Decodes a cursor written by writeCloneCursor. Throws 400 for any other text. */
export function readCloneCursor(text: string): CloneCursor {
  const [, slot, mint] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const createdSlot = Number(slot);
  if (!Number.isSafeInteger(createdSlot) || mint === undefined || !isBase58Of32Bytes(mint)) {
    throw new ApiError(400, 'cursor must be one returned by an earlier page.');
  }
  return { createdSlot, mint: mint as Address };
}
