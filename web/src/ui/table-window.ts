/** The rows of a long table that are rendered. */
export interface TableWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** Rendered beyond each edge, so that fast scrolling shows rows. */
const MARGIN_ROWS = 8;

/** The rows that are in sight of a table scrolled by `scrolledPx`, with a margin. */
export function windowOf(
  rowCount: number,
  rowPx: number,
  scrolledPx: number,
  heightPx: number,
): TableWindow {
  const firstSeen = Math.floor(Math.max(0, scrolledPx) / rowPx);
  const seen = Math.ceil(heightPx / rowPx);
  const end = Math.min(rowCount, firstSeen + seen + MARGIN_ROWS);
  return { first: Math.max(0, Math.min(firstSeen - MARGIN_ROWS, end - 1)), end };
}
