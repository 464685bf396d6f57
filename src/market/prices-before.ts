import type { RowTable } from '../lib/row-table.ts';
import { MARKET_WINDOWS } from '../model/market-window.ts';
import { BUCKET_LAYOUT, SCOPE_LAYOUT } from './market-rows.ts';

const BUCKET = BUCKET_LAYOUT.fields;
const { before: BEFORE } = SCOPE_LAYOUT.fields;
/** The longest window: nothing before it is known. */
const WHOLE = MARKET_WINDOWS.length - 1;

/** By scope and window, the newest bucket with a price that is before the window. */
export class PricesBefore {
  private readonly scopes: RowTable;
  private readonly buckets: RowTable;

  constructor(scopes: RowTable, buckets: RowTable) {
    this.scopes = scopes;
    this.buckets = buckets;
  }

  /**
   * Sets the last price of a bucket, NaN for none. It may become known, or be withdrawn, after the
   * bucket has left windows: the first `left` ones.
   */
  setClose(bucket: number, close: number, left: number): void {
    const { buckets, scopes } = this;
    const wasPriced = this.isPriced(bucket);
    buckets.setNumber(bucket, BUCKET.close, close);
    if (this.isPriced(bucket) === wasPriced) return;
    const scope = buckets.number(bucket, BUCKET.scope);
    const at = buckets.number(bucket, BUCKET.at);
    for (let window = 0; window < Math.min(left, WHOLE); window++) {
      const before = scopes.number(scope, BEFORE, window) - 1;
      if (wasPriced && before === bucket) {
        scopes.setNumber(scope, BEFORE, this.olderPriced(bucket), window);
      } else if (!wasPriced && (before === -1 || buckets.number(before, BUCKET.at) < at)) {
        scopes.setNumber(scope, BEFORE, bucket + 1, window);
      }
    }
  }

  /** A bucket leaves a window, after those before it. */
  leave(bucket: number, window: number): void {
    if (window === WHOLE || !this.isPriced(bucket)) return;
    const scope = this.buckets.number(bucket, BUCKET.scope);
    this.scopes.setNumber(scope, BEFORE, bucket + 1, window);
  }

  /** The oldest bucket of a scope is removed. */
  remove(bucket: number, scope: number): void {
    for (let window = 0; window < WHOLE; window++) {
      if (this.scopes.number(scope, BEFORE, window) !== bucket + 1) continue;
      this.scopes.setNumber(scope, BEFORE, 0, window);
    }
  }

  private isPriced(bucket: number): boolean {
    return !Number.isNaN(this.buckets.number(bucket, BUCKET.close));
  }

  /** The newest bucket with a price before one of its scope, plus one; 0 for none. */
  private olderPriced(bucket: number): number {
    let older = this.buckets.number(bucket, BUCKET.olderOfScope);
    while (older !== 0 && !this.isPriced(older - 1)) {
      older = this.buckets.number(older - 1, BUCKET.olderOfScope);
    }
    return older;
  }
}
