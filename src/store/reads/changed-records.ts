import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { StoredRow } from '../sql/columns.ts';
import type { Lane } from '../sql/lane.ts';
import type { Table } from '../sql/table.ts';
import { poolTable, tokenTable } from '../tables/state-tables.ts';
import { rowVersion } from '../writes/slot-writer.ts';

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
  private readonly lane: Lane;

  constructor(lane: Lane) {
    this.lane = lane;
  }

  tokens(query: ChangedQuery): Promise<readonly TokenRecord[]> {
    return this.page(tokenTable, 'mint', query);
  }

  pools(query: ChangedQuery): Promise<readonly PoolRecord[]> {
    return this.page(poolTable, 'pool', query);
  }

  private async page<Stored>(
    { name, read }: Table<Stored, Stored>,
    key: 'mint' | 'pool',
    { epoch, afterSlot, throughSlot, afterAddress, limit }: ChangedQuery,
  ): Promise<Stored[]> {
    const rows = await this.lane.rows<StoredRow>(
      `SELECT record FROM ${name} FINAL WHERE epoch = {epoch:UInt32} AND ${key} > {address:String} ` +
        'AND version > {after:UInt64} AND version <= {through:UInt64} ' +
        `ORDER BY ${key} LIMIT {limit:UInt32}`,
      {
        epoch,
        address: afterAddress,
        after: afterSlot === null ? '0' : rowVersion(epoch, afterSlot),
        through: rowVersion(epoch, throughSlot),
        limit,
      },
    );
    return rows.map(read);
  }
}
