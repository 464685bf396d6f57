import type { Classification, FraudType } from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { numeric, slot, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { columnsOfRecord } from '../sql/table.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { classificationTable } from '../tables/classification-tables.ts';

/** A transaction in which an owner traded a mint as a member of a bundle. */
export interface BundledTrade {
  readonly mint: Address;
  readonly slot: Slot;
  readonly txIndex: number;
  readonly owner: Address;
}

/** The mints and the slots of some trades. Each list is not empty. */
export interface TradedMints {
  readonly mints: readonly Address[];
  readonly slots: readonly Slot[];
}

const bundledTrade = columnsOfRecord<BundledTrade>({
  mint: text('mint'),
  slot: slot('slot'),
  txIndex: numeric('tx_index'),
  owner: text('owner'),
});
const toBundledTrade = bundledTrade.reader();

const OF_MINTS = "mint IN splitByChar(',', {mints:String})";

const BUNDLED =
  `SELECT ${bundledTrade.names.join(', ')} FROM bundled_transactions FINAL ` +
  `WHERE ${IS_VISIBLE} AND ${OF_MINTS} ` +
  'AND slot >= {from:UInt64} AND slot <= {to:UInt64} ' +
  'AND slot IN {slots:Array(UInt64)}';

const WASH: FraudType = 'wash_volume';

const WASH_FINDINGS =
  'SELECT argMax(record, slot) AS record FROM classifications FINAL ' +
  `WHERE ${IS_VISIBLE} AND ${OF_MINTS} AND fraud_type = '${WASH}' GROUP BY id ORDER BY id`;

/** What is stored about trades beside the swaps themselves. */
export class StoredTradeLabels {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Bundled transactions of these mints in these slots, whenever they were found. */
  bundled({ mints, slots }: TradedMints): Promise<BundledTrade[]> {
    return this.reads.all(BUNDLED, toBundledTrade, {
      mints: mints.join(),
      slots: `[${slots.join()}]`,
      from: Math.min(...slots),
      to: Math.max(...slots),
    });
  }

  /** The newest version of each finding of wash trading in these mints. */
  washFindings(mints: readonly Address[]): Promise<Classification[]> {
    return this.reads.all(WASH_FINDINGS, classificationTable.read, { mints: mints.join() });
  }
}
