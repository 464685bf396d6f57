import { PairIndex } from '../lib/pair-index.ts';
import { RowQueue } from '../lib/row-queue.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import type { Address } from '../model/units.ts';
import { AddressNumbers } from './address-numbers.ts';
import { TRADER_LAYOUT } from './market-rows.ts';

const { fields } = TRADER_LAYOUT;

/** The wallets that traded in each scope, by the number of its row. */
export class WindowTraders {
  readonly rows: RowTable;
  private readonly wallets: AddressNumbers;
  private readonly index: PairIndex;
  /** Rows by their last trade. */
  private readonly lastTrades: RowQueue;

  constructor(undo: UndoLog) {
    this.rows = new RowTable(TRADER_LAYOUT, undo, 'market traders') as RowTable;
    this.wallets = new AddressNumbers(undo, 'market wallets');
    this.index = new PairIndex(undo, 'market traders by scope');
    this.lastTrades = new RowQueue(this.rows, fields, undo, 'market traders by time');
  }

  get allocatedBytes(): number {
    const { rows, wallets, index } = this;
    return rows.allocatedBytes + wallets.allocatedBytes + index.allocatedBytes;
  }

  /** The row of a wallet that trades now. */
  trading(scope: number, trader: Address): number {
    const known = this.wallets.find(trader);
    const row = known === -1 ? -1 : this.index.get(scope, known);
    if (row !== -1) {
      this.lastTrades.renew(row);
      return row;
    }
    const wallet = this.wallets.use(trader);
    const added = this.rows.add();
    this.rows.setNumber(added, fields.scope, scope);
    this.rows.setNumber(added, fields.wallet, wallet);
    this.index.set(scope, wallet, added);
    this.lastTrades.push(added);
    return added;
  }

  /** Removes the wallets whose last trade is before a bucket's time. */
  dropBefore(at: number): void {
    const { rows } = this;
    for (let row = this.lastTrades.oldest; row !== -1; row = this.lastTrades.oldest) {
      const lastAt = Math.max(rows.number(row, fields.buyAt), rows.number(row, fields.sellAt));
      if (lastAt >= at) return;
      const wallet = rows.number(row, fields.wallet);
      this.lastTrades.remove(row);
      this.index.delete(rows.number(row, fields.scope), wallet);
      this.wallets.release(wallet);
      rows.remove(row);
    }
  }
}
