import type { CaseTrade } from '../../model/mint-case.ts';
import { byChainOrder } from './block-order.ts';

/** Sales of one hand within a span that begins with the first of them. */
export interface SaleWindow {
  /** In block order, at least one. */
  readonly sales: readonly CaseTrade[];
  readonly first: CaseTrade;
  readonly last: CaseTrade;
  readonly soldRaw: bigint;
}

/** Windows that are looked at of each of the two kinds. */
const WINDOWS_MAX = 16;

/**
 * Spans in which one hand sold most, largest first: such that last `spanMs`, and such that end before
 * its next purchase, since who buys back at once may sell again within the span. Of each kind none
 * overlaps another. Sales and purchases in block order.
 */
export function findSaleWindows(
  sales: readonly CaseTrade[],
  purchases: readonly CaseTrade[],
  spanMs: number,
): readonly SaleWindow[] {
  const whole = largestApart(spansFrom(sales, [], spanMs));
  const unbroken = largestApart(spansFrom(sales, purchases, spanMs));
  const known = new Set(whole.map(({ start, end }) => `${start} ${end}`));
  const other = unbroken.filter(({ start, end }) => !known.has(`${start} ${end}`));
  return [...whole, ...other].toSorted(bySize).flatMap((span) => toWindow(sales, span) ?? []);
}

/** Sales from `start` up to `end`, which is none of them. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly soldRaw: bigint;
}

/** One span for every sale to begin with; it ends with the time or with the next purchase. */
function spansFrom(
  sales: readonly CaseTrade[],
  purchases: readonly CaseTrade[],
  spanMs: number,
): readonly Span[] {
  const spans: Span[] = [];
  let [end, nextPurchase, soldRaw] = [0, 0, 0n];
  for (const [start, first] of sales.entries()) {
    while (isBefore(purchases[nextPurchase], first)) nextPurchase++;
    const limit = purchases[nextPurchase];
    for (let sale = sales[end]; sale !== undefined; sale = sales[end]) {
      const isOut = limit !== undefined && byChainOrder(sale, limit) >= 0 && end > start;
      if (isOut || sale.timeMs > first.timeMs + spanMs) break;
      soldRaw += sale.baseRaw;
      end++;
    }
    spans.push({ start, end, soldRaw });
    soldRaw -= first.baseRaw;
  }
  return spans;
}

function isBefore(purchase: CaseTrade | undefined, sale: CaseTrade): boolean {
  return purchase !== undefined && byChainOrder(purchase, sale) <= 0;
}

function largestApart(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted(bySize)) {
    if (kept.length === WINDOWS_MAX) break;
    if (kept.every((other) => span.end <= other.start || other.end <= span.start)) kept.push(span);
  }
  return kept;
}

function bySize(one: Span, other: Span): number {
  if (one.soldRaw !== other.soldRaw) return one.soldRaw > other.soldRaw ? -1 : 1;
  return one.start - other.start || one.end - other.end;
}

function toWindow(sales: readonly CaseTrade[], { start, end, soldRaw }: Span): SaleWindow | null {
  const inside = sales.slice(start, end);
  const [first] = inside;
  const last = inside.at(-1);
  if (first === undefined || last === undefined) return null;
  return { sales: inside, first, last, soldRaw };
}
