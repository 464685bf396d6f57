import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address, RawAmount } from '../../model/units.ts';

/** Maximum length of a cursor: 39 digits, a point and 44 letters, as base64. */
export const HOLDER_CURSOR_LENGTH_MAX = 112;

const CURSOR = /^([0-9]{1,39})\.([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Encodes a position in the order of holders as an opaque text. */
export function writeHolderCursor({ balanceRaw, owner }: HolderCursor): string {
  return Buffer.from(`${balanceRaw}.${owner}`).toString('base64url');
}

/** Decodes a cursor written by writeHolderCursor. Throws 400 for any other text. */
export function readHolderCursor(text: string): HolderCursor {
  const [, balance, owner] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (balance === undefined || owner === undefined || !isBase58Of32Bytes(owner)) {
    throw new ApiError(400, 'cursor must be one returned by an earlier page.');
  }
  return { balanceRaw: BigInt(balance) as RawAmount, owner: owner as Address };
}
