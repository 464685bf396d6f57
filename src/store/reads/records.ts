import type { PoolRecord, TokenRecord } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import { decodePoolRecord, decodeTokenRecord } from '../codecs/record-codec.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';

/** Tokens and pools as last written, for records that are no longer in memory. */
export class StoredRecords {
  private readonly lane: Lane;
  private readonly visible: VisibleEpoch;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.lane = lane;
    this.visible = visible;
  }

  async token(mint: Address): Promise<TokenRecord | null> {
    const stored = await this.newest('tokens', 'mint', mint);
    return stored === null ? null : decodeTokenRecord(stored);
  }

  async pool(pool: Address): Promise<PoolRecord | null> {
    const stored = await this.newest('pools', 'pool', pool);
    return stored === null ? null : decodePoolRecord(stored);
  }

  private async newest(
    table: 'tokens' | 'pools',
    key: 'mint' | 'pool',
    value: Address,
  ): Promise<string | null> {
    const [row] = await this.lane.rows<{ record: string }>(
      `SELECT record FROM ${table} FINAL WHERE epoch = {epoch:UInt32} AND ${key} = {key:String}`,
      { epoch: this.visible.epoch, key: value },
    );
    return row?.record ?? null;
  }
}
