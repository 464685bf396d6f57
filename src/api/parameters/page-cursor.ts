import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { ApiError } from '../../model/errors.ts';
import { type Address, asAddress } from '../../model/units.ts';

/** Maximum length of any cursor; positions have a few numbers and one address. */
export const CURSOR_LENGTH_MAX = 256;

/** What a request selects: a cursor only continues the request that it came from. */
export type CursorFilters = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** How the positions of one list are written. */
export interface CursorFormat<Position> {
  /** The endpoint that the cursors are of. */
  readonly endpoint: string;
  /** Raised when the same parts would mean another position. */
  readonly version: number;
  /** Parts without a point. */
  readonly toParts: (position: Position) => readonly (string | number | bigint)[];
  /** Null for parts that no position has. */
  readonly toPosition: (parts: readonly string[]) => Position | null;
}

/** Cursors of one list. A cursor is a position in its order, not a row offset. */
export interface PageCursor<Position> {
  /** An opaque text. */
  write(position: Position, filters: CursorFilters): string;
  /**
   * The position of a cursor; null without one. Throws 400 for a text that `write` did not return for
   * this list and these filters.
   */
  read(text: string | undefined, filters: CursorFilters): Position | null;
}

const UNKNOWN_CURSOR = 'cursor must be one returned by an earlier page.';

/**
 * Describes the cursors of a list. Each names its version, its endpoint and a hash over these, the
 * filters and the position, so one of another request is refused. The hash is no secret: a position
 * that someone makes up shows nothing that the list does not.
 */
export function pageCursor<Position>({
  endpoint,
  version,
  toParts,
  toPosition,
}: CursorFormat<Position>): PageCursor<Position> {
  const head = [String(version), endpoint];
  const encode = (parts: readonly string[], filters: CursorFilters) =>
    Buffer.from([...head, hashOf(head, parts, filters), ...parts].join('.')).toString('base64url');
  return {
    write: (position, filters) => encode(toParts(position).map(String), filters),
    read(text, filters) {
      if (text === undefined) return null;
      const parts = Buffer.from(text, 'base64url').toString('latin1').split('.').slice(3);
      const position = toPosition(parts);
      if (position === null || encode(parts, filters) !== text) {
        throw new ApiError(400, UNKNOWN_CURSOR);
      }
      return position;
    },
  };
}

const HASH_DIGITS = 12;

function hashOf(head: readonly string[], parts: readonly string[], filters: CursorFilters): string {
  const names = Object.keys(filters).sort();
  const lines = names.map((name) => `${name} ${String(filters[name])}`);
  return contentHash([...head, ...parts, ...lines]).slice(0, HASH_DIGITS);
}

/** A part that is a whole number, possibly negative; null for any other text. */
export function integerPart(part: string | undefined): number | null {
  if (part === undefined || !/^-?[0-9]{1,16}$/.test(part)) return null;
  const value = Number(part);
  return Number.isSafeInteger(value) ? value : null;
}

/** A part that is a whole number of at most 39 digits, as 128 bits have; null for any other text. */
export function amountPart(part: string | undefined): bigint | null {
  return part === undefined || !/^[0-9]{1,39}$/.test(part) ? null : BigInt(part);
}

/** Like amountPart, possibly negative. */
export function signedAmountPart(part: string | undefined): bigint | null {
  return part === undefined || !/^-?[0-9]{1,39}$/.test(part) ? null : BigInt(part);
}

/** A part that is an address; null for any other text. */
export function addressPart(part: string | undefined): Address | null {
  return part === undefined || !isBase58Of32Bytes(part) ? null : asAddress(part);
}
