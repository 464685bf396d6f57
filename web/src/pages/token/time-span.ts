import { choiceInQuery } from '../../state/router.ts';

export const SPANS = ['1h', '6h', '24h', '7d', '30d'] as const;
export type Span = (typeof SPANS)[number];

/** How long a span is, and the intervals in which the API answers it in some hundreds of points. */
export const SPAN_SIZES = {
  '1h': { spanMs: 3_600_000, interval: '1m' },
  '6h': { spanMs: 6 * 3_600_000, interval: '1m' },
  '24h': { spanMs: 24 * 3_600_000, interval: '5m' },
  '7d': { spanMs: 7 * 86_400_000, interval: '30m' },
  '30d': { spanMs: 30 * 86_400_000, interval: '1h' },
} as const satisfies Readonly<Record<Span, object>>;

/** The span in the address. */
export function spanInQuery(): Span {
  return choiceInQuery('span', SPANS);
}

/** From and to of a span that ends now, in whole minutes, not before the token existed. */
export function rangeOf(
  span: Span,
  createdAt: string | null,
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const toMs = Math.ceil(nowMs / 60_000) * 60_000;
  const wantedMs = toMs - SPAN_SIZES[span].spanMs;
  const bornMs =
    createdAt === null ? wantedMs : Math.floor(Date.parse(createdAt) / 60_000) * 60_000;
  // An empty range is refused.
  const fromMs = Math.min(Math.max(wantedMs, bornMs), toMs - 60_000);
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
