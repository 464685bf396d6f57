import type { TradedPool } from '../../live-tape.ts';
import { SLOT_MS } from '../market-options.ts';
import type { RunOrder } from '../run-order.ts';

/** Which slot of which market comes how late. */
export interface LateOrder extends Omit<RunOrder, 'swaps'> {
  readonly lateMs: number;
}

/** The process of the service reports these, in this order. */
export type LateReport =
  | { readonly kind: 'stored'; readonly history: StoredHistory }
  | { readonly kind: 'delivered' }
  | { readonly kind: 'visible' }
  | { readonly kind: 'applied'; readonly figures: LateFigures }
  | { readonly kind: 'ended'; readonly digest: string; readonly swaps: number };

/** What is stored before the late slot comes, and where it is read. */
export interface StoredHistory {
  readonly slots: number;
  readonly swaps: number;
  readonly seconds: number;
  /** That can be opened. */
  readonly checkpoints: number;
  readonly port: number;
  readonly key: string;
  readonly pools: readonly TradedPool[];
}

/** What a late slot cost. Times are since it was delivered. */
export interface LateFigures {
  /** The first and the last slot that was folded again. */
  readonly beganMs: number;
  readonly foldedMs: number;
  /** Answers have the slot. */
  readonly visibleMs: number;
  /** Rows are in one layer again. */
  readonly mergedMs: number;
  /** Folded again until answers had the slot. */
  readonly slots: number;
  readonly swaps: number;
  /** By how much the slots that came meanwhile were later than due, at most. */
  readonly delayMs: number;
  readonly residentMiB: number;
}

/**
 * Slots before the late one are as much time as this, so that there is a checkpoint before it: those
 * of the last two hours are up to ten minutes apart (decision 0129). The measured figures are of
 * this time.
 */
const LEAD_MS = 30 * 60_000;

/** Slots before the late one, and from it to its delivery. */
export function slotsOf({ lateMs }: Pick<LateOrder, 'lateMs'>) {
  const leadMs = Math.min(LEAD_MS, lateMs);
  return { lead: Math.round(leadMs / SLOT_MS), late: Math.round(lateMs / SLOT_MS) };
}
