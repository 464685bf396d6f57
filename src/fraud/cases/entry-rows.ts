import type { AddressIds } from '../../lib/address-ids.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLiquidity, CaseLock, CaseTransfer } from '../../model/mint-case.ts';
import { type Address, asLamports, asRawAmount } from '../../model/units.ts';
import {
  isTransactionRef,
  isWord,
  LIQUIDITY_LAYOUT,
  LOCK_LAYOUT,
  readTransactionRef,
  TRANSFER_LAYOUT,
  writeTransactionRef,
} from './case-rows.ts';

/** Stores entries of one kind as rows of bytes. */
export interface EntryRows<Entry> {
  readonly table: RowTable;
  /** Writes an entry and returns its row; -1 if rows cannot store it. */
  add(entry: Entry): number;
  /** Reads an entry of this mint. */
  read(row: number, mint: Address): Entry;
  remove(row: number): void;
}

const TRANSFER = TRANSFER_LAYOUT.fields;
const LIQUIDITY = LIQUIDITY_LAYOUT.fields;
const LOCK = LOCK_LAYOUT.fields;

export class TransferRows implements EntryRows<CaseTransfer> {
  readonly table: RowTable;
  private readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(TRANSFER_LAYOUT, undo, 'transfers of cases');
  }

  add(transfer: CaseTransfer): number {
    if (!isWord(transfer.amountRaw) || !isTransactionRef(transfer)) return -1;
    const { table, ids } = this;
    const row = table.add();
    writeTransactionRef(table, row, TRANSFER, transfer);
    table.setNumber(row, TRANSFER.from, ids.idOf(transfer.from));
    table.setNumber(row, TRANSFER.to, ids.idOf(transfer.to));
    table.setBigint(row, TRANSFER.amountRaw, transfer.amountRaw);
    return row;
  }

  read(row: number): CaseTransfer {
    const { table, ids } = this;
    return {
      ...readTransactionRef(table, row, TRANSFER),
      from: ids.addressOf(table.number(row, TRANSFER.from)),
      to: ids.addressOf(table.number(row, TRANSFER.to)),
      amountRaw: asRawAmount(table.bigint(row, TRANSFER.amountRaw)),
    };
  }

  remove(row: number): void {
    this.table.remove(row);
  }
}

export class LiquidityRows implements EntryRows<CaseLiquidity> {
  readonly table: RowTable;
  private readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(LIQUIDITY_LAYOUT, undo, 'liquidity of cases');
  }

  add(change: CaseLiquidity): number {
    const [base, lamports] = [absolute(change.baseRaw), absolute(change.lamports)];
    if (!isWord(base) || !isWord(lamports) || !isTransactionRef(change)) return -1;
    const { table, ids } = this;
    const row = table.add();
    writeTransactionRef(table, row, LIQUIDITY, change);
    table.setNumber(row, LIQUIDITY.pool, ids.idOf(change.pool));
    table.setNumber(row, LIQUIDITY.provider, ids.idOf(change.provider));
    table.setBigint(row, LIQUIDITY.baseRaw, base);
    table.setBigint(row, LIQUIDITY.lamports, lamports);
    table.setNumber(row, LIQUIDITY.isBaseOut, change.baseRaw < 0n ? 1 : 0);
    table.setNumber(row, LIQUIDITY.isLamportsOut, change.lamports < 0n ? 1 : 0);
    return row;
  }

  read(row: number): CaseLiquidity {
    const { table, ids } = this;
    const base = table.bigint(row, LIQUIDITY.baseRaw);
    const lamports = table.bigint(row, LIQUIDITY.lamports);
    const isBaseOut = table.number(row, LIQUIDITY.isBaseOut) === 1;
    const isLamportsOut = table.number(row, LIQUIDITY.isLamportsOut) === 1;
    return {
      ...readTransactionRef(table, row, LIQUIDITY),
      pool: ids.addressOf(table.number(row, LIQUIDITY.pool)),
      provider: ids.addressOf(table.number(row, LIQUIDITY.provider)),
      baseRaw: asRawAmount(isBaseOut ? -base : base),
      lamports: asLamports(isLamportsOut ? -lamports : lamports),
    };
  }

  remove(row: number): void {
    this.table.remove(row);
  }
}

/** A lock, identified by the token account of the locker. */
export interface EscrowLock extends CaseLock {
  readonly escrow: Address;
}

export class LockRows implements EntryRows<EscrowLock> {
  readonly table: RowTable;
  private readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(LOCK_LAYOUT, undo, 'locks of cases');
  }

  add(lock: EscrowLock): number {
    if (!isWord(lock.amountRaw) || !isTransactionRef(lock)) return -1;
    const { table } = this;
    const row = table.add();
    writeTransactionRef(table, row, LOCK, lock);
    table.setNumber(row, LOCK.owner, this.ids.idOf(lock.owner));
    table.setNumber(row, LOCK.escrow, this.ids.idOf(lock.escrow));
    table.setBigint(row, LOCK.amountRaw, lock.amountRaw);
    table.setNumber(row, LOCK.firstUnlockMs, lock.firstUnlockMs ?? 0);
    table.setNumber(row, LOCK.isForever, lock.firstUnlockMs === null ? 1 : 0);
    return row;
  }

  read(row: number): EscrowLock {
    const { table } = this;
    const isForever = table.number(row, LOCK.isForever) === 1;
    return {
      ...readTransactionRef(table, row, LOCK),
      owner: this.ids.addressOf(table.number(row, LOCK.owner)),
      escrow: this.ids.addressOf(table.number(row, LOCK.escrow)),
      amountRaw: asRawAmount(table.bigint(row, LOCK.amountRaw)),
      firstUnlockMs: isForever ? null : table.number(row, LOCK.firstUnlockMs),
    };
  }

  remove(row: number): void {
    this.table.remove(row);
  }
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
