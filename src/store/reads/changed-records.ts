import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address, Slot } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { Table } from '../sql/table.ts';
import { IS_VISIBLE, layersOf, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { poolTable, tokenTable } from '../tables/state-tables.ts';

/** Records last changed by slots after `afterSlot` up to `throughSlot`, in order of address. */
export interface ChangedQuery {
  readonly epoch: number;
  /** Null: from the beginning. */
  readonly afterSlot: Slot | null;
  readonly throughSlot: Slot;
  /** The last address of the previous page; empty for the first page. */
  readonly afterAddress: Address | '';
  readonly limit: number;
}

/** Records that changed between two slots, in pages, for readers that missed the changes. */
export class ChangedRecords {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  tokens(query: ChangedQuery): Promise<readonly TokenRecord[]> {
    return this.page(tokenTable, 'mint', query);
  }

  pools(query: ChangedQuery): Promise<readonly PoolRecord[]> {
    return this.page(poolTable, 'pool', query);
  }

  private page<Stored>(
    { name, read }: Table<Stored, Stored>,
    key: 'mint' | 'pool',
    { epoch, afterSlot, throughSlot, afterAddress, limit }: ChangedQuery,
  ): Promise<Stored[]> {
    const { visible } = this.reads;
    return this.reads.all(
      `SELECT record FROM ${name} FINAL WHERE ${IS_VISIBLE} AND ${key} > {address:String} ` +
        'AND version > {after:UInt64} AND version <= {upTo:UInt64} ' +
        `ORDER BY ${key} LIMIT {limit:UInt32}`,
      read,
      {
        address: afterAddress,
        after: afterSlot === null ? '0' : rowVersion(epoch, afterSlot),
        upTo: rowVersion(epoch, throughSlot),
        limit,
      },
      // The rows of an earlier fold stay readable until they are removed.
      visible.epoch === epoch ? this.reads.layers : layersOf({ epoch }),
    );
  }
}
