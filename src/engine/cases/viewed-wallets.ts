import type { CaseWallet } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/**
 * The wallets of a viewed case, each created when it is read: following payments to all ancestors
 * would take most of the time of an evaluation, and grow with the history. `get` returns a wallet
 * for every address, also for one about which nothing is known. Iteration and `size` cover the
 * wallets that are named in a list of the case or hold the mint, by address.
 */
export class ViewedWallets implements ReadonlyMap<Address, CaseWallet> {
  private readonly read: (address: Address) => CaseWallet;
  private readonly listed: () => Iterable<Address>;
  private readonly known = new Map<Address, CaseWallet>();
  #ordered: readonly Address[] | null = null;

  /** `listed` returns the addresses to iterate over, in any order, each once. */
  constructor(read: (address: Address) => CaseWallet, listed: () => Iterable<Address>) {
    this.read = read;
    this.listed = listed;
  }

  get(address: Address): CaseWallet {
    const known = this.known.get(address);
    if (known !== undefined) return known;
    const wallet = this.read(address);
    this.known.set(address, wallet);
    return wallet;
  }

  has(_address: Address): boolean {
    return true;
  }

  get size(): number {
    return this.ordered.length;
  }

  keys(): MapIterator<Address> {
    return this.ordered.values();
  }

  *values(): MapIterator<CaseWallet> {
    for (const address of this.ordered) yield this.get(address);
  }

  *entries(): MapIterator<[Address, CaseWallet]> {
    for (const address of this.ordered) yield [address, this.get(address)];
  }

  [Symbol.iterator](): MapIterator<[Address, CaseWallet]> {
    return this.entries();
  }

  forEach(
    visit: (
      wallet: CaseWallet,
      address: Address,
      wallets: ReadonlyMap<Address, CaseWallet>,
    ) => void,
  ): void {
    for (const [address, wallet] of this.entries()) visit(wallet, address, this);
  }

  private get ordered(): readonly Address[] {
    this.#ordered ??= [...this.listed()].sort();
    return this.#ordered;
  }
}
