import type { BundledTransaction } from '../model/derived.ts';
import { asSlot } from '../model/units.ts';
import type {
  BundleOrder,
  BundlePage,
  BundlePageItem,
  BundlePageQuery,
  BundlePages,
} from '../store/reads/bundles.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/**
 * Bundled transactions up to the newest slot: stored ones and unwritten ones, distinguished by the
 * slot in which they were found.
 */
export class CurrentBundles {
  private readonly stored: Pick<BundlePages, 'page'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<BundlePages, 'page'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** Items of one page, and the total count. A page past the end has no items. */
  async page(query: BundlePageQuery): Promise<BundlePage> {
    const { offset, limit } = query;
    const { firstSlot } = this.unwritten;
    const recent = this.recent(query);
    if (firstSlot === null || recent.length === 0) return await this.stored.page(query);
    // Stored rows on this page may be shifted by up to as many recent rows as there are.
    const skipped = Math.max(0, offset - recent.length);
    const stored = await this.stored.page({
      ...query,
      offset: skipped,
      limit: limit === 0 ? 0 : limit + recent.length,
      asOfSlot: asSlot(Math.max(0, Math.min(query.asOfSlot ?? firstSlot - 1, firstSlot - 1))),
    });
    const start = offset - skipped;
    const items = [...stored.items, ...recent].sort(comparison(query));
    return {
      items: items.slice(start, start + limit),
      total: stored.total + recent.length,
    };
  }

  private recent({ mint, asOfSlot }: BundlePageQuery): BundlePageItem[] {
    const rows = this.unwritten.bundles(mint);
    const asked = asOfSlot === null ? rows : rows.filter(({ foundSlot }) => foundSlot <= asOfSlot);
    return asked.map(toItem);
  }
}

function toItem(row: BundledTransaction): BundlePageItem {
  const { slot, txIndex, signature, owner, lamports } = row;
  return { slot, txIndex, signature, owner, lamports };
}

type Comparison = (one: BundlePageItem, other: BundlePageItem) => number;

/**
 * The order of the database: by the requested column and direction; ties always in the same order.
 */
function comparison({ orderBy, orderDir }: BundlePageQuery): Comparison {
  const sign = orderDir === 'asc' ? 1 : -1;
  const compare = COMPARISONS[orderBy];
  return (one, other) =>
    sign * compare(one, other) ||
    one.slot - other.slot ||
    one.txIndex - other.txIndex ||
    ascending(one.owner, other.owner);
}

const COMPARISONS: Readonly<Record<BundleOrder, Comparison>> = {
  slot: (one, other) => one.slot - other.slot,
  solana_amount: (one, other) => ascending(one.lamports, other.lamports),
  transaction_id: (one, other) => ascending(one.signature, other.signature),
  signing_address: (one, other) => ascending(one.owner, other.owner),
};

/** Addresses and signatures are ASCII, so this equals the byte order of the database. */
function ascending<Value extends string | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
