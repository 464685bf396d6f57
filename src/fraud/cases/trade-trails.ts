import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CoTrade } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AddressRows } from './address-rows.ts';
import { type MeetingPair, Meetings } from './meetings.ts';

/** Number of newest trades stored per wallet. */
export const TRAIL_TRADES = 16;
/** The first of them are in the wallet's own row, the others in a second one. */
const OWN_TRADES = 2;
const LATELY_MS = 7 * 86_400_000;

/**
 * `count` trades were noted; the next one goes to `count` modulo TRAIL_TRADES. `further` is the row
 * of the trades that are not in this one plus one, 0 for none.
 */
const TRAIL_LAYOUT = rowLayout({
  count: 'u32',
  further: 'u32',
  timeMs: ['f64', OWN_TRADES],
  mint: ['u32', OWN_TRADES],
  slot: ['u32', OWN_TRADES],
  isSell: ['u8', OWN_TRADES],
});
const FIELD = TRAIL_LAYOUT.fields;

const FURTHER_LAYOUT = rowLayout({
  timeMs: ['f64', TRAIL_TRADES - OWN_TRADES],
  mint: ['u32', TRAIL_TRADES - OWN_TRADES],
  slot: ['u32', TRAIL_TRADES - OWN_TRADES],
  isSell: ['u8', TRAIL_TRADES - OWN_TRADES],
});

/** Where a trade of a trail is: the one at `index` of a row. */
interface TrailPlace {
  readonly table: RowTable;
  readonly fields: Pick<typeof FIELD, 'timeMs' | 'mint' | 'slot' | 'isSell'>;
  readonly row: number;
  readonly index: number;
}

/** The part of a wallet's trade that shows which wallets trade together. */
export interface TrailTrade {
  readonly mint: Address;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly side: Side;
}

/**
 * The last trades of wallets, for links by trading together: per wallet the newest 16 trades that
 * differ in mint, slot or side. A wallet takes 48 bytes with up to two trades, as most have, and 240
 * more with others.
 */
export class TradeTrails {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AddressRows;
  private readonly further: RowTable;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new AddressRows(TRAIL_LAYOUT, undo, 'trade trails');
    this.further = new RowTable(FURTHER_LAYOUT, undo, 'further trades of trails');
  }

  note(wallet: Address, { mint, slot, timeMs, side }: TrailTrade): void {
    const row = this.rows.open(this.ids.idOf(wallet));
    const { table } = this.rows;
    const mintId = this.ids.idOf(mint);
    const isSell = side === 'sell' ? 1 : 0;
    const count = table.number(row, FIELD.count);
    for (let back = 1; back <= Math.min(count, TRAIL_TRADES); back++) {
      const known = this.placeOf(row, (count - back) % TRAIL_TRADES);
      const { fields } = known;
      if (known.table.number(known.row, fields.slot, known.index) !== slot) break;
      const isSame =
        known.table.number(known.row, fields.mint, known.index) === mintId &&
        known.table.number(known.row, fields.isSell, known.index) === isSell;
      if (isSame) return;
    }
    if (count === OWN_TRADES) table.setNumber(row, FIELD.further, this.further.add() + 1);
    const place = this.placeOf(row, count % TRAIL_TRADES);
    const { fields } = place;
    place.table.setNumber(place.row, fields.mint, mintId, place.index);
    place.table.setNumber(place.row, fields.slot, slot, place.index);
    place.table.setNumber(place.row, fields.timeMs, timeMs, place.index);
    place.table.setNumber(place.row, fields.isSell, isSell, place.index);
    table.setNumber(row, FIELD.count, count + 1);
  }

  /** Notes that a wallet traded, for a trade that does not link wallets. */
  see(wallet: Address): void {
    this.rows.open(this.ids.idOf(wallet));
  }

  /** Whether a trade of the wallet is known. */
  has(wallet: Address): boolean {
    return this.hasById(this.ids.find(wallet));
  }

  /** Same as `has`, by the number of the wallet; false for -1. */
  hasById(id: number): boolean {
    return this.rows.rowOfId(id) !== -1;
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
    return this.rows.allocatedBytes + this.further.allocatedBytes;
  }

  /** The place of the trade at an index of a wallet's ring of 16. */
  private placeOf(row: number, index: number): TrailPlace {
    const { table } = this.rows;
    if (index < OWN_TRADES) return { table, fields: FIELD, row, index };
    const further = table.number(row, FIELD.further) - 1;
    const { fields } = FURTHER_LAYOUT;
    return { table: this.further, fields, row: further, index: index - OWN_TRADES };
  }

  private noteTrail(meetings: Meetings, row: number, wallet: number, span: TrailSpan): void {
    const { table } = this.rows;
    const count = Math.min(table.number(row, FIELD.count), TRAIL_TRADES);
    const own = this.placeOf(row, 0);
    noteTrades(meetings, wallet, { ...own, count: Math.min(count, OWN_TRADES) }, span);
    if (count <= OWN_TRADES) return;
    const further = this.placeOf(row, OWN_TRADES);
    noteTrades(meetings, wallet, { ...further, count: count - OWN_TRADES }, span);
  }
}

/** Trades that count: of other mints than this one, later than this. */
interface TrailSpan {
  readonly exceptId: number;
  readonly sinceMs: number;
}

/** Reads fields directly from the page: a case reads the trails of hundreds of wallets. */
function noteTrades(
  meetings: Meetings,
  wallet: number,
  { table, fields, row, count }: Omit<TrailPlace, 'index'> & { readonly count: number },
  { exceptId, sinceMs }: TrailSpan,
): void {
  const page = table.viewOf(row);
  const at = table.startOf(row);
  for (let index = 0; index < count; index++) {
    const mint = page.getUint32(at + fields.mint.offset + 4 * index, true);
    if (mint === exceptId) continue;
    if (page.getFloat64(at + fields.timeMs.offset + 8 * index, true) <= sinceMs) continue;
    const slot = page.getUint32(at + fields.slot.offset + 4 * index, true);
    const isSell = page.getUint8(at + fields.isSell.offset + index);
    meetings.note({ wallet, mint, slot, isSell });
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
