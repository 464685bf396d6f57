import { UUID } from '../../lib/uuid.ts';
import type { FindingPosition } from '../../model/finding-page.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { CloneCursor } from '../../model/off-chain.ts';
import { isHitPositionId } from '../../model/rule-hit-page.ts';
import type { TradePosition } from '../../model/trade.ts';
import { asRawAmount, isSlot } from '../../model/units.ts';
import {
  addressPart,
  amountPart,
  integerPart,
  type PageCursor,
  pageCursor,
} from './page-cursor.ts';

export const HOLDER_CURSOR = pageCursor<HolderCursor>({
  endpoint: 'holders',
  version: 1,
  toParts: ({ balanceRaw, owner }) => [balanceRaw, owner],
  toPosition(parts) {
    const [balance, owner] = [amountPart(parts[0]), addressPart(parts[1])];
    return balance === null || owner === null ? null : { balanceRaw: asRawAmount(balance), owner };
  },
});

export const CLONE_CURSOR = pageCursor<CloneCursor>({
  endpoint: 'clones',
  version: 1,
  toParts: ({ createdSlot, mint }) => [createdSlot, mint],
  toPosition(parts) {
    const [createdSlot, mint] = [integerPart(parts[0]), addressPart(parts[1])];
    return createdSlot === null || mint === null ? null : { createdSlot, mint };
  },
});

const UNKNOWN_KEY = 'none';
/** The store compares keys as 128-bit integers with sign. */
const KEY_MAX = 2n ** 127n - 1n;

/** Cursors of findings, or of hits of rules, at one endpoint. */
export function findingCursor(endpoint: string): PageCursor<FindingPosition> {
  return pageCursor<FindingPosition>({
    endpoint,
    version: 1,
    toParts: ({ key, id }) => [key ?? UNKNOWN_KEY, id],
    toPosition([keyPart, id]) {
      if (id === undefined || !(UUID.test(id) || isHitPositionId(id))) return null;
      if (keyPart === UNKNOWN_KEY) return { key: null, id };
      const key = amountPart(keyPart);
      return key === null || key > KEY_MAX ? null : { key, id };
    },
  });
}

/** Cursors of the trades at one endpoint. */
export function tradeCursor(endpoint: string): PageCursor<TradePosition> {
  return pageCursor<TradePosition>({
    endpoint,
    version: 1,
    toParts: ({ timeMs, slot, txIndex, outerIx, innerIx, pool }) => [
      ...[timeMs, slot, txIndex, outerIx, innerIx],
      pool,
    ],
    toPosition: toTradePosition,
  });
}

function toTradePosition(parts: readonly string[]): TradePosition | null {
  const [timeMs, slot, txIndex, outerIx, innerIx] = parts.slice(0, 5).map(integerPart);
  const pool = addressPart(parts[5]);
  if (!isWithin(timeMs, 0, Number.MAX_SAFE_INTEGER) || !isSlot(slot) || pool === null) return null;
  if (!isWithin(txIndex, 0, 2 ** 32 - 1) || !isWithin(outerIx, 0, 2 ** 16 - 1)) return null;
  if (!isWithin(innerIx, -(2 ** 15), 2 ** 15 - 1)) return null;
  return { timeMs, slot, txIndex, outerIx, innerIx, pool };
}

/** The ranges of the columns that positions are compared with. */
function isWithin(value: number | null | undefined, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}
