import { AddressIds } from '../../lib/address-ids.ts';
import { type Field, type NumberKind, RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { BundleLevel } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Address, Lamports, RawAmount, UsdNano } from '../../model/units.ts';
import { COSIGNER_LAYOUT, isWord, readPlace, TRADE_LAYOUT, writePlace } from './case-rows.ts';
import type { EntryRows } from './entry-rows.ts';

const FIELD = TRADE_LAYOUT.fields;
const COSIGNER = COSIGNER_LAYOUT.fields;

/** Their place is what a row holds: a new level goes to the end. */
const LEVELS: readonly BundleLevel[] = ['L1', 'L2', 'L2o', 'L3'];
const GROUP_NAMES_MAX = 0xffff;

const IS_SELL = 1;
const HAS_USD = 2;
const HAS_PRICE = 4;
const HAS_POOL_LAMPORTS = 8;
const IS_ROUND_TRIP = 16;
const IS_ARBITRAGE = 32;
const IS_TERMINAL = 64;

/**
 * Trades as rows of 152 bytes, and 8 for each cosigner. Dollars and reserves that 64 bits cannot hold
 * are unknown. Names of groups repeat from slot to slot, so each is held once and for good.
 */
export class TradeRows implements EntryRows<CaseTrade> {
  readonly table: RowTable;
  readonly cosigners: RowTable;
  private readonly ids: AddressIds<Address>;
  private readonly groups: AddressIds<string>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(TRADE_LAYOUT, undo);
    this.cosigners = new RowTable(COSIGNER_LAYOUT, undo);
    this.groups = new AddressIds(undo);
  }

  /** Throws RangeError when there are more than 65,535 different names of groups. */
  add(trade: CaseTrade): number {
    if (!isWord(trade.baseRaw) || !isWord(trade.lamports)) return -1;
    const { table, ids } = this;
    const row = table.add();
    writePlace(table, row, FIELD, trade);
    table.setNumber(row, FIELD.wallet, ids.idOf(trade.wallet));
    table.setNumber(row, FIELD.feePayer, ids.idOf(trade.feePayer));
    table.setNumber(row, FIELD.pool, ids.idOf(trade.pool));
    const program = trade.privateProgram === null ? 0 : ids.idOf(trade.privateProgram) + 1;
    table.setNumber(row, FIELD.privateProgram, program);
    table.setNumber(row, FIELD.cosigner, this.addCosigners(trade.cosigners));
    table.setBigint(row, FIELD.baseRaw, trade.baseRaw);
    table.setBigint(row, FIELD.lamports, trade.lamports);
    table.setBigint(row, FIELD.usd, knownWord(trade.usd) ?? 0n);
    table.setBigint(row, FIELD.poolLamports, knownWord(trade.poolLamports) ?? 0n);
    table.setNumber(row, FIELD.priceSol, trade.priceSol ?? 0);
    table.setNumber(row, FIELD.flags, flagsOf(trade));
    this.writeGroup(row, trade.group);
    return row;
  }

  read(row: number): CaseTrade {
    const { table } = this;
    const flags = table.number(row, FIELD.flags);
    const has = (flag: number) => (flags & flag) !== 0;
    const program = table.number(row, FIELD.privateProgram);
    return {
      ...readPlace(table, row, FIELD),
      wallet: this.addressAt(row, FIELD.wallet),
      feePayer: this.addressAt(row, FIELD.feePayer),
      cosigners: this.cosignersOf(row),
      pool: this.addressAt(row, FIELD.pool),
      side: has(IS_SELL) ? 'sell' : 'buy',
      baseRaw: table.bigint(row, FIELD.baseRaw) as RawAmount,
      lamports: table.bigint(row, FIELD.lamports) as Lamports,
      usd: has(HAS_USD) ? (table.bigint(row, FIELD.usd) as UsdNano) : null,
      priceSol: has(HAS_PRICE) ? table.number(row, FIELD.priceSol) : null,
      poolLamports: has(HAS_POOL_LAMPORTS)
        ? (table.bigint(row, FIELD.poolLamports) as Lamports)
        : null,
      group: this.groupOf(row),
      isRoundTrip: has(IS_ROUND_TRIP),
      isArbitrage: has(IS_ARBITRAGE),
      isTerminal: has(IS_TERMINAL),
      privateProgram: program === 0 ? null : this.ids.addressOf(program - 1),
    };
  }

  remove(row: number): void {
    let next = this.table.number(row, FIELD.cosigner);
    while (next !== 0) {
      const cosigner = next - 1;
      next = this.cosigners.number(cosigner, COSIGNER.next);
      this.cosigners.remove(cosigner);
    }
    this.table.remove(row);
  }

  /** A transaction's size bounds how many sign it: twelve at most. */
  private addCosigners(wallets: readonly Address[]): number {
    let first = 0;
    for (const wallet of wallets.toReversed()) {
      const row = this.cosigners.add();
      this.cosigners.setNumber(row, COSIGNER.wallet, this.ids.idOf(wallet));
      this.cosigners.setNumber(row, COSIGNER.next, first);
      first = row + 1;
    }
    return first;
  }

  private cosignersOf(row: number): Address[] {
    const wallets: Address[] = [];
    let next = this.table.number(row, FIELD.cosigner);
    while (next !== 0) {
      wallets.push(this.ids.addressOf(this.cosigners.number(next - 1, COSIGNER.wallet)));
      next = this.cosigners.number(next - 1, COSIGNER.next);
    }
    return wallets;
  }

  private writeGroup(row: number, group: CaseTrade['group']): void {
    if (group === null) return;
    const name = this.groups.idOf(group.id) + 1;
    if (name > GROUP_NAMES_MAX) throw new RangeError('too many different names of groups');
    this.table.setNumber(row, FIELD.group, name);
    this.table.setNumber(row, FIELD.level, LEVELS.indexOf(group.level));
  }

  private groupOf(row: number): CaseTrade['group'] {
    const name = this.table.number(row, FIELD.group);
    const level = LEVELS[this.table.number(row, FIELD.level)];
    if (name === 0 || level === undefined) return null;
    return { id: this.groups.addressOf(name - 1), level };
  }

  private addressAt(row: number, field: Field<NumberKind>): Address {
    return this.ids.addressOf(this.table.number(row, field));
  }
}

function flagsOf(trade: CaseTrade): number {
  return (
    (trade.side === 'sell' ? IS_SELL : 0) |
    (knownWord(trade.usd) === null ? 0 : HAS_USD) |
    (trade.priceSol === null ? 0 : HAS_PRICE) |
    (knownWord(trade.poolLamports) === null ? 0 : HAS_POOL_LAMPORTS) |
    (trade.isRoundTrip ? IS_ROUND_TRIP : 0) |
    (trade.isArbitrage ? IS_ARBITRAGE : 0) |
    (trade.isTerminal ? IS_TERMINAL : 0)
  );
}

function knownWord(amount: bigint | null): bigint | null {
  return amount === null || !isWord(amount) ? null : amount;
}
