import type { AddressIds } from '../lib/address-ids.ts';
import { IdRows } from '../lib/id-rows.ts';
import { rowLayout } from '../lib/row-layout.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { addToWide, wideSum } from '../lib/wide-sum.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { ListedIndicators } from '../model/market-listing.ts';
import { type Address, asUsdNano } from '../model/units.ts';

const LAYOUT = rowLayout({
  /** 128 bits. */
  organicVolumeUsd: ['u64', 2],
  organicRatio: 'f64',
  smartMoneyScore: 'f64',
  baseMint: 'u32',
  totalWallets: 'u32',
  organicWallets: 'u32',
  smartHolders: 'u32',
  rawHolders: 'u32',
  isVolumeKnown: 'u8',
});
const { fields } = LAYOUT;

/**
 * The listed figures of pools at the end of the last minute in which each was traded. Changes are
 * recorded in `undo`, but for the ids of addresses.
 */
export class NewestIndicators {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly rowOfPool: IdRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'market indicators') as RowTable;
    this.rowOfPool = new IdRows(undo, 'market indicators by pool');
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.rowOfPool.allocatedBytes;
  }

  /** Null for a pool that has none. */
  get(pool: Address): ListedIndicators | null {
    const { rows, ids } = this;
    const row = this.rowOfPool.get(ids.find(pool));
    if (row === -1) return null;
    const isKnown = rows.number(row, fields.isVolumeKnown) === 1;
    return {
      baseMint: ids.addressOf(rows.number(row, fields.baseMint)),
      totalWallets: rows.number(row, fields.totalWallets),
      organicWallets: rows.number(row, fields.organicWallets),
      organicVolumeUsd: isKnown ? asUsdNano(wideSum(rows, row, fields.organicVolumeUsd)) : null,
      organicToTotalWalletsRatio: rows.number(row, fields.organicRatio),
      smartMoneyScore: rows.number(row, fields.smartMoneyScore),
      smartHolders: rows.number(row, fields.smartHolders),
      rawHolders: rows.number(row, fields.rawHolders),
    };
  }

  /** Adds the figures of a pool, or newer ones. */
  put({ pool, organicVolumeUsd, ...record }: IndicatorRecord): void {
    const { rows } = this;
    const row = this.ensure(pool);
    rows.setNumber(row, fields.baseMint, this.ids.idOf(record.baseMint));
    rows.setNumber(row, fields.totalWallets, record.totalWallets);
    rows.setNumber(row, fields.organicWallets, record.organicWallets);
    rows.setNumber(row, fields.organicRatio, record.organicToTotalWalletsRatio);
    rows.setNumber(row, fields.smartMoneyScore, record.smartMoneyScore);
    rows.setNumber(row, fields.smartHolders, record.smartHolders);
    rows.setNumber(row, fields.rawHolders, record.rawHolders);
    rows.setNumber(row, fields.isVolumeKnown, organicVolumeUsd === null ? 0 : 1);
    const before = wideSum(rows, row, fields.organicVolumeUsd);
    addToWide(rows, row, fields.organicVolumeUsd, (organicVolumeUsd ?? 0n) - before);
  }

  private ensure(pool: Address): number {
    const id = this.ids.idOf(pool);
    const known = this.rowOfPool.get(id);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.rowOfPool.set(id, row);
    return row;
  }
}
