import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CoTrade } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AgedRows } from './aged-rows.ts';
import { Meetings, type Met } from './meetings.ts';

/** Trades that are remembered of a wallet, the newest. */
export const TRAIL_TRADES = 16;
const WALLETS_MAX = 300_000;
const LATELY_MS = 7 * 86_400_000;

/** `count` trades were noted; the next one goes to `count` modulo TRAIL_TRADES. */
export const TRAIL_LAYOUT = rowLayout({
  id: 'u32',
  older: 'u32',
  newer: 'u32',
  count: 'u32',
  timeMs: ['f64', TRAIL_TRADES],
  mint: ['u32', TRAIL_TRADES],
  slot: ['u32', TRAIL_TRADES],
  isSell: ['u8', TRAIL_TRADES],
});
const FIELD = TRAIL_LAYOUT.fields;

/** A wallet's trade as far as it shows who trades together. */
export interface TrailTrade {
  readonly mint: Address;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly side: Side;
}

/**
 * What wallets traded last, for links by trading together: of each the newest 16 trades that differ in
 * mint, slot or side, in 288 bytes; of 300,000 wallets, the one that traded longest ago makes room. With
 * everything full 99 MB.
 */
export class TradeTrails {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AgedRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog, walletsMax = WALLETS_MAX) {
    this.ids = ids;
    this.rows = new AgedRows(TRAIL_LAYOUT, walletsMax, undo);
  }

  note(wallet: Address, { mint, slot, timeMs, side }: TrailTrade): void {
    const row = this.rows.renew(this.ids.idOf(wallet));
    const { table } = this.rows;
    const mintId = this.ids.idOf(mint);
    const isSell = side === 'sell' ? 1 : 0;
    const count = table.number(row, FIELD.count);
    for (let back = 1; back <= Math.min(count, TRAIL_TRADES); back++) {
      const place = (count - back) % TRAIL_TRADES;
      if (table.number(row, FIELD.slot, place) !== slot) break;
      const isSame =
        table.number(row, FIELD.mint, place) === mintId &&
        table.number(row, FIELD.isSell, place) === isSell;
      if (isSame) return;
    }
    const place = count % TRAIL_TRADES;
    table.setNumber(row, FIELD.mint, mintId, place);
    table.setNumber(row, FIELD.slot, slot, place);
    table.setNumber(row, FIELD.timeMs, timeMs, place);
    table.setNumber(row, FIELD.isSell, isSell, place);
    table.setNumber(row, FIELD.count, count + 1);
  }

  /** Takes a trade that says nothing of who trades together. */
  see(wallet: Address): void {
    this.rows.renew(this.ids.idOf(wallet));
  }

  /** Whether it is remembered that a wallet traded. */
  has(wallet: Address): boolean {
    const id = this.ids.find(wallet);
    return id !== -1 && this.rows.find(id) !== -1;
  }

  /**
   * Pairs of these wallets that bought or sold the same other mints in the same slots within the last
   * week, each with how many mints that were, of those with at least `mintsMin`; pairs and the two of each
   * in order of addresses.
   */
  coTradesOf(wallets: Iterable<Address>, except: Address, nowMs: number, mintsMin = 1): CoTrade[] {
    const all = [...new Set(wallets)];
    const meetings = new Meetings();
    const span = { exceptId: this.ids.find(except), sinceMs: nowMs - LATELY_MS };
    for (const [place, wallet] of all.entries()) {
      const id = this.ids.find(wallet);
      const row = id === -1 ? -1 : this.rows.find(id);
      if (row !== -1) this.noteTrail(meetings, row, place, span);
    }
    return meetings.pairs(all.length, mintsMin).map(toCoTrade(all)).sort(byAddresses);
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }

  *digestRows(): Iterable<string> {
    for (const [id, row] of this.rows.entries()) {
      const trail = [...this.trailOf(row)].map(
        ({ mint, slot, timeMs, isSell }) =>
          `${this.ids.addressOf(mint)} ${slot} ${timeMs} ${isSell}`,
      );
      yield `trail ${this.ids.addressOf(id)} ${trail.join(', ')}`;
    }
  }

  /** All fields are read at once: a case reads the trails of hundreds of wallets. */
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
    for (let place = 0; place < Math.min(count, TRAIL_TRADES); place++) {
      const mint = page.getUint32(at + FIELD.mint.offset + 4 * place, true);
      if (mint === exceptId) continue;
      if (page.getFloat64(at + FIELD.timeMs.offset + 8 * place, true) <= sinceMs) continue;
      const slot = page.getUint32(at + FIELD.slot.offset + 4 * place, true);
      const isSell = page.getUint8(at + FIELD.isSell.offset + place);
      meetings.note({ wallet, mint, slot, isSell });
    }
  }

  /** Oldest first. */
  private *trailOf(row: number) {
    const { table } = this.rows;
    const count = table.number(row, FIELD.count);
    for (let nth = Math.max(0, count - TRAIL_TRADES); nth < count; nth++) {
      const place = nth % TRAIL_TRADES;
      yield {
        mint: table.number(row, FIELD.mint, place),
        slot: table.number(row, FIELD.slot, place),
        timeMs: table.number(row, FIELD.timeMs, place),
        isSell: table.number(row, FIELD.isSell, place),
      };
    }
  }
}

/** Of the places of two wallets in the list. */
function toCoTrade(wallets: readonly Address[]): (met: Met) => CoTrade {
  const walletAt = (place: number): Address => {
    const wallet = wallets[place];
    if (wallet === undefined) throw new RangeError(`no wallet has the place ${place}`);
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
