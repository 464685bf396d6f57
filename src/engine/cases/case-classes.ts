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

  /** The class of an address whose number is `id`, -1 for none; null for a wallet. */
  of(address: Address, id: number): CaseClass | null {
    const { walletBooks } = this.sources;
    return id === -1 ? walletBooks.funding.classify(address) : this.ofId(id);
  }

  /** The same by the number of an address, which must have one. */
  ofId(id: number): CaseClass | null {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const { books, walletBooks } = this.sources;
    const read = books.pools.hasById(id) ? 'pool' : walletBooks.funding.classifyById(id);
    this.known.set(id, read);
    return read;
  }
}
