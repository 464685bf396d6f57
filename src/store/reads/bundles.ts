import type { BundledTransaction } from '../../model/derived.ts';
import type { Address, Slot } from '../../model/units.ts';
import { numeric } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { bundlePageItem } from '../tables/bundle-table.ts';

export type BundleOrder = 'slot' | 'solana_amount' | 'transaction_id' | 'signing_address';

export interface BundlePageQuery {
  readonly mint: Address;
  readonly orderBy: BundleOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Only bundles found up to this slot; null for all. */
  readonly asOfSlot: Slot | null;
}

export type BundlePageItem = Pick<
  BundledTransaction,
  'slot' | 'txIndex' | 'signature' | 'owner' | 'lamports'
>;

export interface BundlePage {
  readonly items: readonly BundlePageItem[];
  readonly total: number;
}

/** The sort column of each order. Ties are broken the same way in both directions. */
const COLUMN_OF_ORDER: Readonly<Record<BundleOrder, string>> = {
  slot: 'slot',
  solana_amount: 'lamports',
  transaction_id: 'signature',
  signing_address: 'owner',
};

const FOUND =
  'FROM bundled_transactions FINAL ' +
  `WHERE ${IS_VISIBLE} AND mint = {mint:String} AND found_slot <= {asOf:UInt64}`;

const toTotal = numeric('total').reader();
const toItem = bundlePageItem.reader();

/** Bundled transactions of a token, in pages. */
export class BundlePages {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** The items of one page and the total number; a page past the end has no items. */
  async page(query: BundlePageQuery): Promise<BundlePage> {
    const { mint, orderBy, orderDir, offset, limit, asOfSlot } = query;
    const { layers } = this.reads;
    const params = { mint, asOf: asOfSlot ?? Number.MAX_SAFE_INTEGER };
    const counted = `SELECT count() AS total ${FOUND}`;
    const total = (await this.reads.first(counted, toTotal, params, layers)) ?? 0;
    if (offset >= total || limit === 0) return { items: [], total };
    const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
    const items = await this.reads.all(
      `SELECT ${bundlePageItem.names.join(', ')} ${FOUND} ` +
        `ORDER BY ${COLUMN_OF_ORDER[orderBy]} ${direction}, slot, tx_index, owner ` +
        'LIMIT {limit:UInt64} OFFSET {offset:UInt64}',
      toItem,
      { ...params, limit, offset },
      layers,
    );
    return { items, total };
  }
}
