import type { CaseTrade } from '../../model/mint-case.ts';
import { byChainOrder } from './block-order.ts';

/** Sales of one owner within a span that starts with the first of them. */
export interface SaleWindow {
  /** In block order, at least one. */
  readonly sales: readonly CaseTrade[];
  readonly first: CaseTrade;
  readonly last: CaseTrade;
  readonly soldRaw: bigint;
}

/** Maximum number of windows of each of the two kinds. */
const WINDOWS_MAX = 16;

/**
 * Spans in which one owner sold most, largest first, of two kinds: spans of length `spanMs`, and
 * spans that end before the owner's next purchase, because an owner that buys back at once may sell
 * again within the span. Spans of one kind do not overlap. Sales and purchases must be in block
 * order.
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

/** Sales from index `start` up to `end` (exclusive). */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly soldRaw: bigint;
}

/** One span starting at each sale; it ends after `spanMs` or at the next purchase. */
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
