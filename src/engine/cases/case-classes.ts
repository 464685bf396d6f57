import type { CaseClass } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';

/**
 * The classes of addresses as of the end of a slot, each read once. Following payments asks for the
 * same ones many times, by number: that of a wallet that was paid is known, and its text is long.
 */
export class CaseClasses {
  private readonly sources: Pick<CaseSources, 'books' | 'walletBooks'>;
  private readonly known = new Map<number, CaseClass | null>();

  constructor(sources: Pick<CaseSources, 'books' | 'walletBooks'>) {
    this.sources = sources;
  }

  /** The class of an address; null for a wallet. */
  of(address: Address): CaseClass | null {
    const id = this.sources.walletBooks.ids.find(address);
    return id === -1 ? this.read(address) : this.ofId(id);
  }

  /** The same by the number of an address, which must have one. */
  ofId(id: number): CaseClass | null {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const read = this.read(this.sources.walletBooks.ids.addressOf(id));
    this.known.set(id, read);
    return read;
  }

  private read(address: Address): CaseClass | null {
    const { books, walletBooks } = this.sources;
    return books.pools.has(address) ? 'pool' : walletBooks.funding.classify(address);
  }
}
