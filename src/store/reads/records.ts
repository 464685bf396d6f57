import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import type { Table } from '../sql/table.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { poolTable, tokenTable } from '../tables/state-tables.ts';

/** Tokens and pools as last written, for records that are no longer in memory. */
export class StoredRecords {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  token(mint: Address): Promise<TokenRecord | null> {
    return this.newest(tokenTable, 'mint', mint);
  }

  pool(pool: Address): Promise<PoolRecord | null> {
    return this.newest(poolTable, 'pool', pool);
  }

  private newest<Stored>(
    { name, read }: Table<Stored, Stored>,
    column: 'mint' | 'pool',
    key: Address,
  ): Promise<Stored | null> {
    return this.reads.first(
      `SELECT record FROM ${name} FINAL WHERE ${IS_VISIBLE} AND ${column} = {key:String}`,
      read,
      { key },
    );
  }
}
