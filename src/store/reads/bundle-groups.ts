import type { BundledTransaction, BundleGroupName } from '../../model/derived.ts';
import type { Address, Slot } from '../../model/units.ts';
import { numeric, slot } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { columnsOfRecord } from '../sql/table.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { bundleTable } from '../tables/bundle-table.ts';

export interface BundleGroupQuery {
  readonly mint: Address;
  /** By the position of the first transaction. */
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Only bundles found up to this slot; null for all. */
  readonly asOfSlot: Slot | null;
}

const FOUND =
  'FROM bundled_transactions FINAL ' +
  `WHERE ${IS_VISIBLE} AND mint = {mint:String} AND found_slot <= {asOf:UInt64}`;
/** A parameter with comma-separated `slot/index`, as a list of texts. */
const LISTED = "splitByChar(',', {groups:String})";
const NAME = "concat(toString(group_slot), '/', toString(group_index))";
const OTHERS = `${FOUND} AND NOT has(${LISTED}, ${NAME})`;

const toTotal = numeric('total').reader();
const toName = columnsOfRecord<BundleGroupName>({
  slot: slot('group_slot'),
  txIndex: numeric('group_index'),
}).reader();

/** Names of groups, and the number of all of them. */
export interface BundleGroupNames {
  readonly names: readonly BundleGroupName[];
  readonly total: number;
}

/** Bundled transactions of a token, by what was placed together. */
export class StoredBundleGroups {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Groups without those whose names (`slot/index`) are `excluded`. */
  async names(query: BundleGroupQuery, excluded: readonly string[]): Promise<BundleGroupNames> {
    const { mint, orderDir, offset, limit, asOfSlot } = query;
    const { layers } = this.reads;
    const params = { mint, asOf: asOfSlot ?? Number.MAX_SAFE_INTEGER, groups: excluded.join() };
    const counted = `SELECT uniqExact(group_slot, group_index) AS total ${OTHERS}`;
    const total = (await this.reads.first(counted, toTotal, params, layers)) ?? 0;
    if (offset >= total || limit === 0) return { names: [], total };
    const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
    const names = await this.reads.all(
      `SELECT group_slot, group_index ${OTHERS} GROUP BY group_slot, group_index ` +
        `ORDER BY group_slot ${direction}, group_index ${direction} ` +
        'LIMIT {limit:UInt64} OFFSET {offset:UInt64}',
      toName,
      { ...params, limit, offset },
      layers,
    );
    return { names, total };
  }

  /** All transactions of some groups, named by `slot/index`. */
  async members(
    { mint, asOfSlot }: Pick<BundleGroupQuery, 'mint' | 'asOfSlot'>,
    names: readonly string[],
  ): Promise<BundledTransaction[]> {
    if (names.length === 0) return [];
    return await this.reads.all(
      `SELECT ${bundleTable.columns.join(', ')} ${FOUND} AND has(${LISTED}, ${NAME})`,
      bundleTable.read,
      { mint, asOf: asOfSlot ?? Number.MAX_SAFE_INTEGER, groups: names.join() },
      this.reads.layers,
    );
  }
}
