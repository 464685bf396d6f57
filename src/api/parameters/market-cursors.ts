import type { ListPosition } from '../../model/market-listing.ts';
import { addressPart, type PageCursor, pageCursor } from './page-cursor.ts';

const UNKNOWN = 'unknown';
/** A number as the bytes of a float, so that the position is exactly that of the figure. */
const FLOAT = /^[0-9a-f]{16}$/;

/** Cursors of a list that is ordered by a figure. */
function figureCursor(endpoint: string): PageCursor<ListPosition> {
  return pageCursor<ListPosition>({
    endpoint,
    version: 1,
    toParts: ({ value, address }) => [value === null ? UNKNOWN : floatText(value), address],
    toPosition([value = '', text]) {
      const address = addressPart(text);
      if (address === null) return null;
      if (value === UNKNOWN) return { value: null, address };
      if (!FLOAT.test(value)) return null;
      const number = Buffer.from(value, 'hex').readDoubleBE();
      return Number.isFinite(number) ? { value: number, address } : null;
    },
  });
}

function floatText(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

export const TOKEN_CURSOR = figureCursor('tokens');
export const POOL_CURSOR = figureCursor('pools');
