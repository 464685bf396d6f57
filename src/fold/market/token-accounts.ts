import { AddressIds } from '../../lib/address-ids.ts';
import { FullTableError } from '../../lib/full-table-error.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { asideOf, balanceOf, type HolderRows } from './holder-row.ts';

/** An account that is not the main account of its owner: its balance, and the owner's row. */
export const ASIDE_LAYOUT = rowLayout({ balance: 'u64', holder: 'u32' });

const { balance, holder: holderField } = ASIDE_LAYOUT.fields;

/** Set in the word of an account that is not the main account of its owner. */
const ASIDE = 2 ** 31;
const ROW_MAX = ASIDE - 2;

/**
 * The token accounts with a balance. An account has a number, which it keeps when it is closed and
 * opened again, and by number a word: 0 if it is closed, one more than the row of its owner if it
 * is the owner's main account, and otherwise 2^31 plus its row in a table of these accounts.
 */
export class TokenAccounts {
  private readonly ids: AddressIds<Address>;
  private readonly words: WordList;
  private readonly asides: RowTable;
  private readonly count: StateValue<{ open: number }>;
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
    this.ids = new AddressIds<Address>(undo, 'token accounts');
    this.words = new WordList(undo, 'token account holders');
    this.asides = new RowTable(ASIDE_LAYOUT, undo, 'further token accounts');
    this.count = new StateValue({ open: 0 }, undo, 'token account count');
  }

  /** Accounts with a balance. */
  get size(): number {
    return this.count.now.open;
  }

  /** Bytes of rows and words, without the addresses. */
  get allocatedBytes(): number {
    return this.words.allocatedBytes + this.asides.allocatedBytes;
  }

  /** The number of an account with a balance, -1 for other addresses. */
  find(address: Address): number {
    const id = this.ids.find(address);
    return id === -1 || this.words.get(id) === 0 ? -1 : id;
  }

  /** The row of the owner of an account with a balance. */
  holderOf(account: number): number {
    const word = this.words.get(account);
    return word < ASIDE ? word - 1 : this.asides.number(word - ASIDE, holderField);
  }

  /** Whether an account is not the main account of its owner. */
  isAside(account: number): boolean {
    return this.words.get(account) >= ASIDE;
  }

  /** The balance of an account; `rows` are those of the owners. */
  balanceOf(account: number, rows: HolderRows): RawAmount {
    const word = this.words.get(account);
    if (word >= ASIDE) return asRawAmount(this.asides.bigint(word - ASIDE, balance));
    return asRawAmount(balanceOf(rows, word - 1) - asideOf(rows, word - 1));
  }

  /** Adds an account without a balance as the main account of its owner. */
  openMain(address: Address, holder: number): void {
    this.open(address, within(holder, 'holders') + 1);
  }

  /** Adds an account without a balance as another account of its owner. */
  openAside(address: Address, holder: number, balanceRaw: bigint): void {
    const row = this.asides.add();
    this.asides.setBigint(row, balance, balanceRaw);
    this.asides.setNumber(row, holderField, holder);
    this.open(address, within(row, 'further token accounts') + ASIDE);
  }

  /** Sets the balance of an account that is not the main account of its owner. */
  setAside(account: number, balanceRaw: bigint): void {
    this.asides.setBigint(this.words.get(account) - ASIDE, balance, balanceRaw);
  }

  /** Removes an account with a balance. */
  close(account: number): void {
    const word = this.words.get(account);
    if (word >= ASIDE) this.asides.remove(word - ASIDE);
    this.words.set(account, 0);
    this.undo.keep(this.count.now);
    this.count.now.open--;
  }

  private open(address: Address, word: number): void {
    this.words.set(this.ids.idOf(address), word);
    this.undo.keep(this.count.now);
    this.count.now.open++;
  }
}

/** Throws FullTableError for a row of a table that the word of an account cannot name. */
function within(row: number, table: string): number {
  if (row > ROW_MAX)
    throw new FullTableError(`table "${table}"`, `rows with numbers up to ${ROW_MAX}`);
  return row;
}
