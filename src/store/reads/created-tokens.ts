import type { TokenRecord } from '../../model/token-record.ts';
import type { CreatedTokenQuery } from '../../model/wallet-lists.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { tokenTable } from '../tables/state-tables.ts';

const AFTER_SLOT = `(creation_slot IS NULL OR creation_slot < {slot:UInt64}
    OR (creation_slot = {slot:UInt64} AND mint > {mint:String}))`;
const AFTER_UNKNOWN = '(creation_slot IS NULL AND mint > {mint:String})';

/** Stored tokens by the wallet that created them. */
export class StoredCreatedTokens {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Newest first, unknown slots last, ties by mint. */
  of({ creator, after, limit }: CreatedTokenQuery): Promise<TokenRecord[]> {
    const isAfter = after?.slot === null ? AFTER_UNKNOWN : AFTER_SLOT;
    return this.reads.all(
      `SELECT record FROM tokens FINAL
WHERE ${IS_VISIBLE} AND creator = {creator:String}${after === null ? '' : ` AND ${isAfter}`}
ORDER BY creation_slot DESC NULLS LAST, mint LIMIT {limit:UInt32}`,
      tokenTable.read,
      { creator, limit, slot: after?.slot ?? 0, mint: after?.mint ?? '' },
    );
  }
}
