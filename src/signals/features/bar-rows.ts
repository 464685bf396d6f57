import type { AddressIds } from '../../lib/address-ids.ts';
import { type Field, rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import {
  BUYERS_MAX,
  type MinuteBar,
  type SignalTrade,
  SMART_MAX,
  type SmartMove,
} from './minute-bar.ts';

const BAR_LAYOUT = rowLayout({
  minuteMs: 'f64',
  high: 'f64',
  low: 'f64',
  close: 'f64',
  organicBuyUsd: 'f64',
  organicSellUsd: 'f64',
  volumeUsd: 'f64',
  quoteRaw: 'f64',
  unvaluedTrades: 'u32',
  /** Row of the pool's next bar plus one, 0 for none. */
  newer: 'u32',
  /** Newest row of buyers and first smart move plus one, 0 for none. */
  buyers: 'u32',
  smart: 'u32',
  buyersCount: 'u8',
  hasPrice: 'u8',
  hasQuote: 'u8',
});
const { fields: BAR } = BAR_LAYOUT;

/** One block of a page: a typical minute has fewer buyers. */
const BUYERS_OF_ROW = 7;
const BUYERS_LAYOUT = rowLayout({ wallets: ['u32', BUYERS_OF_ROW], older: 'u32' });
const { fields: BUYERS } = BUYERS_LAYOUT;

const MOVE_LAYOUT = rowLayout({
  boughtUsd: 'f64',
  soldUsd: 'f64',
  boughtBase: 'f64',
  soldBase: 'f64',
  wallet: 'u32',
  next: 'u32',
});
const { fields: MOVE } = MOVE_LAYOUT;

/**
 * The minutes of all pools: 88 bytes each, 32 for each seven organic buyers, and 40 for each
 * smart wallet.
 */
export class BarRows {
  private readonly ids: AddressIds<Address>;
  private readonly bars: RowTable;
  private readonly buyers: RowTable;
  private readonly moves: RowTable;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.ids = ids;
    this.bars = new RowTable(BAR_LAYOUT, undo, 'signal minutes');
    this.buyers = new RowTable(BUYERS_LAYOUT, undo, 'signal minutes buyers');
    this.moves = new RowTable(MOVE_LAYOUT, undo, 'signal minutes smart moves');
  }

  add(minuteMs: number): number {
    const bar = this.bars.add();
    this.bars.setNumber(bar, BAR.minuteMs, minuteMs);
    return bar;
  }

  remove(bar: number): void {
    freeList(this.buyers, BUYERS.older, this.bars.number(bar, BAR.buyers) - 1);
    freeList(this.moves, MOVE.next, this.bars.number(bar, BAR.smart) - 1);
    this.bars.remove(bar);
  }

  minuteMs(bar: number): number {
    return this.bars.number(bar, BAR.minuteMs);
  }

  /** The next bar of the pool, -1 for none. */
  newer(bar: number): number {
    return this.bars.number(bar, BAR.newer) - 1;
  }

  setNewer(bar: number, newer: number): void {
    this.bars.setNumber(bar, BAR.newer, newer + 1);
  }

  /** Whether a trade of the minute set a price. */
  hasPrice(bar: number): boolean {
    return this.bars.number(bar, BAR.hasPrice) === 1;
  }

  notePrice(bar: number, price: number): void {
    const view = this.bars.changing(bar);
    const at = this.bars.startOf(bar);
    const isFirst = view.getUint8(at + BAR.hasPrice.offset) === 0;
    const high = view.getFloat64(at + BAR.high.offset, true);
    const low = view.getFloat64(at + BAR.low.offset, true);
    view.setFloat64(at + BAR.high.offset, isFirst ? price : Math.max(high, price), true);
    view.setFloat64(at + BAR.low.offset, isFirst ? price : Math.min(low, price), true);
    view.setFloat64(at + BAR.close.offset, price, true);
    view.setUint8(at + BAR.hasPrice.offset, 1);
  }

  /** Sets the quote reserve at the end of the minute; null if unknown. */
  setQuote(bar: number, quoteRaw: number | null): void {
    this.bars.setNumber(bar, BAR.quoteRaw, quoteRaw ?? 0);
    this.bars.setNumber(bar, BAR.hasQuote, Number(quoteRaw !== null));
  }

  noteUnvalued(bar: number): void {
    const count = this.bars.number(bar, BAR.unvaluedTrades);
    this.bars.setNumber(bar, BAR.unvaluedTrades, count + 1);
  }

  noteValue(bar: number, trade: SignalTrade, valueUsd: number): void {
    addTo(this.bars, bar, BAR.volumeUsd, valueUsd);
    if (trade.smartWeight > 0) this.noteSmart(bar, trade, valueUsd * trade.smartWeight);
    if (!trade.isOrganic) return;
    if (trade.side === 'sell') {
      addTo(this.bars, bar, BAR.organicSellUsd, valueUsd);
      return;
    }
    addTo(this.bars, bar, BAR.organicBuyUsd, valueUsd);
    if (trade.wallet !== null) this.noteBuyer(bar, trade.wallet);
  }

  /** Valid until the bar changes, at most until the end of the slot. */
  read(bar: number): MinuteBar {
    const view = this.bars.viewOf(bar);
    const at = this.bars.startOf(bar);
    const number = ({ offset }: Field<'f64'>) => view.getFloat64(at + offset, true);
    const hasPrice = view.getUint8(at + BAR.hasPrice.offset) === 1;
    const hasQuote = view.getUint8(at + BAR.hasQuote.offset) === 1;
    const rows = this;
    return {
      minuteMs: number(BAR.minuteMs),
      high: hasPrice ? number(BAR.high) : null,
      low: hasPrice ? number(BAR.low) : null,
      close: hasPrice ? number(BAR.close) : null,
      organicBuyUsd: number(BAR.organicBuyUsd),
      organicSellUsd: number(BAR.organicSellUsd),
      volumeUsd: number(BAR.volumeUsd),
      unvaluedTrades: view.getUint32(at + BAR.unvaluedTrades.offset, true),
      quoteRaw: hasQuote ? number(BAR.quoteRaw) : null,
      // Few models read them, and only of the newest minutes.
      get buyers() {
        return rows.buyersOf(bar);
      },
      get smart() {
        return rows.movesOf(bar);
      },
    };
  }

  private buyersOf(bar: number): Address[] {
    const wallets: Address[] = [];
    let row = this.bars.number(bar, BAR.buyers) - 1;
    const total = this.bars.number(bar, BAR.buyersCount);
    for (let count = inNewestRow(total); row !== -1; count = BUYERS_OF_ROW) {
      for (let at = 0; at < count; at++) {
        wallets.push(this.ids.addressOf(this.buyers.number(row, BUYERS.wallets, at)));
      }
      row = this.buyers.number(row, BUYERS.older) - 1;
    }
    return wallets;
  }

  private movesOf(bar: number): SmartMove[] {
    const moves: SmartMove[] = [];
    const { moves: rows } = this;
    let row = this.bars.number(bar, BAR.smart) - 1;
    for (; row !== -1; row = rows.number(row, MOVE.next) - 1) {
      moves.push({
        wallet: this.ids.addressOf(rows.number(row, MOVE.wallet)),
        boughtUsd: rows.number(row, MOVE.boughtUsd),
        soldUsd: rows.number(row, MOVE.soldUsd),
        boughtBase: rows.number(row, MOVE.boughtBase),
        soldBase: rows.number(row, MOVE.soldBase),
      });
    }
    return moves;
  }

  private noteBuyer(bar: number, wallet: Address): void {
    const count = this.bars.number(bar, BAR.buyersCount);
    if (count >= BUYERS_MAX) return;
    const id = this.ids.idOf(wallet);
    const newest = this.bars.number(bar, BAR.buyers) - 1;
    if (this.isBuyer(newest, count, id)) return;
    const isFull = count % BUYERS_OF_ROW === 0;
    const row = isFull ? this.buyers.add() : newest;
    if (isFull) {
      this.buyers.setNumber(row, BUYERS.older, newest + 1);
      this.bars.setNumber(bar, BAR.buyers, row + 1);
    }
    this.buyers.setNumber(row, BUYERS.wallets, id, count % BUYERS_OF_ROW);
    this.bars.setNumber(bar, BAR.buyersCount, count + 1);
  }

  private isBuyer(newest: number, buyersCount: number, id: number): boolean {
    let row = newest;
    for (let count = inNewestRow(buyersCount); row !== -1; count = BUYERS_OF_ROW) {
      const view = this.buyers.viewOf(row);
      const start = this.buyers.startOf(row);
      for (let at = 0; at < count; at++) {
        if (view.getUint32(start + BUYERS.wallets.offset + 4 * at, true) === id) return true;
      }
      row = view.getUint32(start + BUYERS.older.offset, true) - 1;
    }
    return false;
  }

  private noteSmart(bar: number, trade: SignalTrade, weightedUsd: number): void {
    const move = trade.wallet === null ? -1 : this.moveOf(bar, this.ids.idOf(trade.wallet));
    if (move === -1) return;
    const isBuy = trade.side === 'buy';
    addTo(this.moves, move, isBuy ? MOVE.boughtUsd : MOVE.soldUsd, weightedUsd);
    addTo(this.moves, move, isBuy ? MOVE.boughtBase : MOVE.soldBase, Number(trade.baseRaw));
  }

  /** The row of a wallet's moves, added if needed; -1 when there are too many others. */
  private moveOf(bar: number, id: number): number {
    const { moves } = this;
    let count = 0;
    let last = -1;
    let row = this.bars.number(bar, BAR.smart) - 1;
    for (; row !== -1; row = moves.number(row, MOVE.next) - 1) {
      if (moves.number(row, MOVE.wallet) === id) return row;
      last = row;
      count++;
    }
    if (count >= SMART_MAX) return -1;
    const added = moves.add();
    moves.setNumber(added, MOVE.wallet, id);
    if (last === -1) this.bars.setNumber(bar, BAR.smart, added + 1);
    else moves.setNumber(last, MOVE.next, added + 1);
    return added;
  }
}

/** How many wallets the newest row of buyers has. */
function inNewestRow(count: number): number {
  return ((count - 1) % BUYERS_OF_ROW) + 1;
}

function addTo(rows: RowTable, row: number, { offset }: Field<'f64'>, amount: number): void {
  const view = rows.changing(row);
  const at = rows.startOf(row) + offset;
  view.setFloat64(at, view.getFloat64(at, true) + amount, true);
}

function freeList(rows: RowTable, next: Field<'u32'>, first: number): void {
  for (let row = first; row !== -1; ) {
    const following = rows.number(row, next) - 1;
    rows.remove(row);
    row = following;
  }
}
