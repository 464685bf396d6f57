import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { ApiError } from '../../model/errors.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { CloneCursor } from '../../model/off-chain.ts';
import { type Address, asAddress, asRawAmount } from '../../model/units.ts';

/**
 * Maximum length of a cursor of holders and of clones: 39 and 16 digits, a point and 44 letters, as
 * base64.
 */
export const HOLDER_CURSOR_LENGTH_MAX = 112;
export const CLONE_CURSOR_LENGTH_MAX = 84;

/** Encodes a position in the order of holders as an opaque text. */
export function writeHolderCursor({ balanceRaw, owner }: HolderCursor): string {
  return writeCursor(balanceRaw, owner);
}

/** Decodes a cursor written by writeHolderCursor. Throws 400 for any other text. */
export function readHolderCursor(text: string): HolderCursor {
  const { position, address } = readCursor(text);
  return { balanceRaw: asRawAmount(position), owner: address };
}

/** Encodes a position in the order of clones as an opaque text. */
export function writeCloneCursor({ createdSlot, mint }: CloneCursor): string {
  return writeCursor(BigInt(createdSlot), mint);
}

/** Decodes a cursor written by writeCloneCursor. Throws 400 for any other text. */
export function readCloneCursor(text: string): CloneCursor {
  const { position, address } = readCursor(text);
  const createdSlot = Number(position);
  if (!Number.isSafeInteger(createdSlot)) throw new ApiError(400, UNKNOWN_CURSOR);
  return { createdSlot, mint: address };
}

const CURSOR = /^([0-9]{1,39})\.([1-9A-HJ-NP-Za-km-z]{32,44})$/;
const UNKNOWN_CURSOR = 'cursor must be one returned by an earlier page.';

function writeCursor(position: bigint, address: Address): string {
  return Buffer.from(`${position}.${address}`).toString('base64url');
}

function readCursor(text: string): { readonly position: bigint; readonly address: Address } {
  const [, digits, address] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (digits === undefined || address === undefined || !isBase58Of32Bytes(address)) {
    throw new ApiError(400, UNKNOWN_CURSOR);
  }
  return { position: BigInt(digits), address: asAddress(address) };
}
