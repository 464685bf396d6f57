import type { PoolRecord, TokenRecord } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import { poolTable, tokenTable } from '../tables/state-tables.ts';

/** Tokens and pools as last written, for records that are no longer in memory. */
export class StoredRecords {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  token(mint: Address): Promise<TokenRecord | null> {
    return this.reads.first(recordOf('tokens', 'mint'), tokenTable.read, { key: mint });
  }

  pool(pool: Address): Promise<PoolRecord | null> {
    return this.reads.first(recordOf('pools', 'pool'), poolTable.read, { key: pool });
  }
}

function recordOf(table: 'tokens' | 'pools', key: 'mint' | 'pool'): string {
  return `SELECT record FROM ${table} FINAL WHERE epoch = {epoch:UInt32} AND ${key} = {key:String}`;
}
