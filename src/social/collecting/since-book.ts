import { isFields } from './read-fields.ts';

/**
 * The mark up to which each term was searched, in the platform's own measure of age: numbers that
 * grow with time. Terms move between queries when the tokens change, so each has its own mark.
 */
export class SinceBook {
  private readonly marks = new Map<string, bigint>();

  /** `kept` is an earlier result of `entries`; invalid entries are ignored. */
  constructor(kept: unknown) {
    for (const [key, mark] of Object.entries(isFields(kept) ? kept : {})) {
      if (typeof mark === 'string' && /^\d{1,30}$/.test(mark)) this.marks.set(key, BigInt(mark));
    }
  }

  /**
   * Where a query for these terms starts: at the oldest of their marks. A term without a mark
   * starts at `fresh`, a term with a mark older than `oldest` at `oldest`.
   */
  startOf(
    keys: readonly string[],
    { fresh, oldest }: { readonly fresh: bigint; readonly oldest: bigint },
  ): { readonly since: bigint; readonly isGap: boolean } {
    let isGap = false;
    let since: bigint | null = null;
    for (const key of keys) {
      let mark = this.marks.get(key) ?? fresh;
      if (mark < oldest) {
        isGap = true;
        mark = oldest;
      }
      this.marks.set(key, mark);
      since = since === null || mark < since ? mark : since;
    }
    return { since: since ?? fresh, isGap };
  }

  /** A mark never decreases. */
  advance(keys: readonly string[], to: bigint): void {
    for (const key of keys) if (to > (this.marks.get(key) ?? 0n)) this.marks.set(key, to);
  }

  /** Removes all other terms. */
  keepOnly(keys: Iterable<string>): void {
    const kept = new Set(keys);
    for (const key of this.marks.keys()) if (!kept.has(key)) this.marks.delete(key);
  }

  entries(): Record<string, string> {
    return Object.fromEntries([...this.marks].map(([key, mark]) => [key, String(mark)]));
  }
}
