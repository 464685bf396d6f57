import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CoTrade } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AddressRows } from './address-rows.ts';
import { type MeetingPair, Meetings } from './meetings.ts';

/** Number of newest trades stored per wallet. */
export const TRAIL_TRADES = 16;
const LATELY_MS = 7 * 86_400_000;

/** `count` trades were noted; the next one goes to `count` modulo TRAIL_TRADES. */
export const TRAIL_LAYOUT = rowLayout({
  count: 'u32',
  timeMs: ['f64', TRAIL_TRADES],
  mint: ['u32', TRAIL_TRADES],
  slot: ['u32', TRAIL_TRADES],
  isSell: ['u8', TRAIL_TRADES],
});
const FIELD = TRAIL_LAYOUT.fields;

/** The part of a wallet's trade that shows which wallets trade together. */
export interface TrailTrade {
  readonly mint: Address;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly side: Side;
}

/**
 * The last trades of wallets, for links by trading together: per wallet the newest 16 trades that
 * differ in mint, slot or side, in 280 bytes.
 */
export class TradeTrails {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AddressRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new AddressRows(TRAIL_LAYOUT, undo, 'trade trails');
  }

  note(wallet: Address, { mint, slot, timeMs, side }: TrailTrade): void {
    const row = this.rows.open(this.ids.idOf(wallet));
    const { table } = this.rows;
    const mintId = this.ids.idOf(mint);
    const isSell = side === 'sell' ? 1 : 0;
    const count = table.number(row, FIELD.count);
    for (let back = 1; back <= Math.min(count, TRAIL_TRADES); back++) {
      const index = (count - back) % TRAIL_TRADES;
      if (table.number(row, FIELD.slot, index) !== slot) break;
      const isSame =
        table.number(row, FIELD.mint, index) === mintId &&
        table.number(row, FIELD.isSell, index) === isSell;
      if (isSame) return;
    }
    const index = count % TRAIL_TRADES;
    table.setNumber(row, FIELD.mint, mintId, index);
    table.setNumber(row, FIELD.slot, slot, index);
    table.setNumber(row, FIELD.timeMs, timeMs, index);
    table.setNumber(row, FIELD.isSell, isSell, index);
    table.setNumber(row, FIELD.count, count + 1);
  }

  /** Notes that a wallet traded, for a trade that does not link wallets. */
  see(wallet: Address): void {
    this.rows.open(this.ids.idOf(wallet));
  }

  /** Whether a trade of the wallet is known. */
  has(wallet: Address): boolean {
    return this.rows.rowOf(this.ids, wallet) !== -1;
  }

  /**
   * Pairs of these wallets that bought or sold the same other mints in the same slots within the
   * last week, for `mintsMin` mints or more, each with the number of mints. Pairs, and the wallets
   * of each pair, are ordered by address.
   */
  coTradesOf(wallets: Iterable<Address>, except: Address, nowMs: number, mintsMin = 1): CoTrade[] {
    const all = [...new Set(wallets)];
    const meetings = new Meetings();
    const span = { exceptId: this.ids.find(except), sinceMs: nowMs - LATELY_MS };
    for (const [index, wallet] of all.entries()) {
      const row = this.rows.rowOf(this.ids, wallet);
      if (row !== -1) this.noteTrail(meetings, row, index, span);
    }
    return meetings.pairs(all.length, mintsMin).map(toCoTrade(all)).sort(byAddresses);
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }

  /** Reads fields directly from the page: a case reads the trails of hundreds of wallets. */
  private noteTrail(
    meetings: Meetings,
    row: number,
    wallet: number,
    { exceptId, sinceMs }: { readonly exceptId: number; readonly sinceMs: number },
  ): void {
    const { table } = this.rows;
    const page = table.viewOf(row);
    const at = table.startOf(row);
    const count = page.getUint32(at + FIELD.count.offset, true);
    for (let index = 0; index < Math.min(count, TRAIL_TRADES); index++) {
      const mint = page.getUint32(at + FIELD.mint.offset + 4 * index, true);
      if (mint === exceptId) continue;
      if (page.getFloat64(at + FIELD.timeMs.offset + 8 * index, true) <= sinceMs) continue;
      const slot = page.getUint32(at + FIELD.slot.offset + 4 * index, true);
      const isSell = page.getUint8(at + FIELD.isSell.offset + index);
      meetings.note({ wallet, mint, slot, isSell });
    }
  }
}

/** Converts pairs of indexes into `wallets`. */
function toCoTrade(wallets: readonly Address[]): (met: MeetingPair) => CoTrade {
  const walletAt = (index: number): Address => {
    const wallet = wallets[index];
    if (wallet === undefined) throw new RangeError(`no wallet has the index ${index}`);
    return wallet;
  };
  return ({ one, other, mints }) => {
    const [first, second] = [walletAt(one), walletAt(other)];
    return first < second
      ? { one: first, other: second, mints }
      : { one: second, other: first, mints };
  };
}

function byAddresses(one: CoTrade, other: CoTrade): number {
  if (one.one !== other.one) return one.one < other.one ? -1 : 1;
  return one.other < other.other ? -1 : 1;
}
