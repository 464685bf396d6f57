import type { Address, Lamports, Signature, Slot } from '../../model/units.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';

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

export interface BundlePageItem {
  readonly slot: Slot;
  readonly txIndex: number;
  readonly signature: Signature;
  readonly owner: Address;
  readonly lamports: Lamports;
}

export interface BundlePage {
  readonly items: readonly BundlePageItem[];
  readonly total: number;
}

interface BundleRow {
  readonly slot: string;
  readonly tx_index: number;
  readonly signature: string;
  readonly owner: string;
  readonly lamports: string;
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
  'WHERE epoch = {epoch:UInt32} AND mint = {mint:String} AND found_slot <= {asOf:UInt64}';

/** Bundled transactions of a token, in pages. */
export class BundlePages {
  private readonly lane: Lane;
  private readonly visible: VisibleEpoch;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.lane = lane;
    this.visible = visible;
  }

  /** The items of one page and the total number; a page past the end has no items. */
  async page(query: BundlePageQuery): Promise<BundlePage> {
    const params = {
      epoch: this.visible.epoch,
      mint: query.mint,
      asOf: query.asOfSlot ?? Number.MAX_SAFE_INTEGER,
    };
    const [counted] = await this.lane.rows<{ total: string }>(
      `SELECT count() AS total ${FOUND}`,
      params,
    );
    const total = Number(counted?.total ?? 0);
    if (query.offset >= total || query.limit === 0) return { items: [], total };
    const direction = query.orderDir === 'asc' ? 'ASC' : 'DESC';
    const rows = await this.lane.rows<BundleRow>(
      `SELECT slot, tx_index, signature, owner, lamports ${FOUND} ` +
        `ORDER BY ${COLUMN_OF_ORDER[query.orderBy]} ${direction}, slot, tx_index, owner ` +
        'LIMIT {limit:UInt64} OFFSET {offset:UInt64}',
      { ...params, limit: query.limit, offset: query.offset },
    );
    return { items: rows.map(toItem), total };
  }
}

function toItem(row: BundleRow): BundlePageItem {
  return {
    slot: Number(row.slot) as Slot,
    txIndex: row.tx_index,
    signature: row.signature as Signature,
    owner: row.owner as Address,
    lamports: BigInt(row.lamports) as Lamports,
  };
}
