import type { Fields } from './stored-fields.ts';

/** Columns of one list of positions per owner, oldest first, with a fixed capacity each. */
export interface PositionLists {
  readonly lists: number;
  readonly capacity: number;
}

/**
 * Positions that their wallets may still sell, in lists of fixed capacity. Each mint has at most
 * one list. Beyond the capacity of a list its oldest position is dropped, and beyond the number of
 * lists the one that was unused for longest: those wallets keep their tokens forever.
 */
export class OpenPositions {
  private readonly name: string;
  private readonly capacity: number;
  private readonly lists: number;
  private readonly wallets: Uint32Array;
  private readonly accounts: Uint32Array;
  private readonly amounts: Float64Array;
  private readonly sizes: Uint32Array;
  /** One more than the row of the mint that a list belongs to, 0 for none. */
  private readonly owners: Uint32Array;
  /** 1 if the list was used since the search for an unused one last passed it. */
  private readonly used: Uint8Array;
  private hand = 0;

  constructor(name: string, { lists, capacity }: PositionLists) {
    this.name = name;
    this.lists = lists;
    this.capacity = capacity;
    this.wallets = new Uint32Array(lists * capacity);
    this.accounts = new Uint32Array(lists * capacity);
    this.amounts = new Float64Array(lists * capacity);
    this.sizes = new Uint32Array(lists);
    this.owners = new Uint32Array(lists);
    this.used = new Uint8Array(lists);
  }

  /** Assigns a list to a mint and calls `onDropped` with the mint that loses it, if one does. */
  assign(mint: number, onDropped: (mint: number) => void): number {
    const { used, owners, lists } = this;
    while (used[this.hand] === 1) {
      used[this.hand] = 0;
      this.hand = (this.hand + 1) % lists;
    }
    const list = this.hand;
    this.hand = (list + 1) % lists;
    const owner = owners[list] as number;
    if (owner > 0) onDropped(owner - 1);
    owners[list] = mint + 1;
    this.sizes[list] = 0;
    used[list] = 1;
    return list;
  }

  sizeOf(list: number): number {
    return this.sizes[list] as number;
  }

  wallet(list: number, index: number): number {
    return this.wallets[list * this.capacity + index] as number;
  }

  account(list: number, index: number): number {
    return this.accounts[list * this.capacity + index] as number;
  }

  amount(list: number, index: number): number {
    return this.amounts[list * this.capacity + index] as number;
  }

  /** Index of the newest position of a wallet among the last `count`, -1 if there is none. */
  find(list: number, wallet: number, count: number): number {
    const size = this.sizeOf(list);
    for (let index = size - 1; index >= Math.max(0, size - count); index--) {
      if (this.wallet(list, index) === wallet) return index;
    }
    return -1;
  }

  add(list: number, wallet: number, account: number, amount: number): void {
    if (this.sizeOf(list) === this.capacity) this.remove(list, 0);
    const at = list * this.capacity + this.sizeOf(list);
    this.wallets[at] = wallet;
    this.accounts[at] = account;
    this.amounts[at] = amount;
    this.sizes[list] = this.sizeOf(list) + 1;
    this.used[list] = 1;
  }

  /** Sets an amount; 0 removes the position. */
  setAmount(list: number, index: number, amount: number): void {
    this.used[list] = 1;
    if (amount === 0) this.remove(list, index);
    else this.amounts[list * this.capacity + index] = amount;
  }

  remove(list: number, index: number): void {
    const start = list * this.capacity;
    const [from, end] = [start + index + 1, start + this.sizeOf(list)];
    this.wallets.copyWithin(from - 1, from, end);
    this.accounts.copyWithin(from - 1, from, end);
    this.amounts.copyWithin(from - 1, from, end);
    this.sizes[list] = this.sizeOf(list) - 1;
  }

  write(fields: Fields): void {
    fields.set(`${this.name} hand`, Float64Array.of(this.hand));
    for (const [name, column] of this.columns()) fields.set(`${this.name} ${name}`, column);
  }

  /** The opposite of `write`, for lists of the same shape. */
  read(fields: Fields): void {
    this.hand = fields.numbers(`${this.name} hand`)[0] as number;
    for (const [name, column] of this.columns()) column.set(fields.numbers(`${this.name} ${name}`));
  }

  private columns() {
    const { wallets, accounts, amounts, sizes, owners, used } = this;
    return Object.entries({ wallets, accounts, amounts, sizes, owners, used });
  }
}
