import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address, RawAmount } from '../../model/units.ts';

/** Longest cursor there can be: 39 digits, a point and 44 letters, as base64. */
export const HOLDER_CURSOR_LENGTH_MAX = 112;

const PLACE = /^([0-9]{1,39})\.([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** A place in the order of holders as a text without meaning for its bearer. */
export function writeHolderCursor({ balanceRaw, owner }: HolderCursor): string {
  return Buffer.from(`${balanceRaw}.${owner}`).toString('base64url');
}

/** Reads what writeHolderCursor wrote. Throws 400 for any other text. */
export function readHolderCursor(text: string): HolderCursor {
  const [, balance, owner] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (balance === undefined || owner === undefined || !isBase58Of32Bytes(owner)) {
    throw new ApiError(400, 'cursor must be one that an earlier page gave.');
  }
  return { balanceRaw: BigInt(balance) as RawAmount, owner: owner as Address };
}
