import type { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import { POOL_AUTHORITIES } from '../../model/known-owners.ts';
import type { Address } from '../../model/units.ts';

const WORD_BITS = 32;

/**
 * The owners of pool vaults: the authorities of venues, known from the start, and pools that own
 * their vaults themselves, of which there are as many as launches. One bit per numbered address.
 */
export class PoolOwners {
  private readonly ids: AddressIds<Address>;
  private readonly bits: WordList;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.bits = new WordList(undo, 'pool owners');
  }

  /** Has no effect on authorities of venues. */
  add(owner: Address): void {
    if (POOL_AUTHORITIES.has(owner)) return;
    const id = this.ids.idOf(owner);
    const word = id >>> 5;
    this.bits.set(word, (this.bits.get(word) | bitOf(id)) >>> 0);
  }

  has(owner: Address): boolean {
    if (POOL_AUTHORITIES.has(owner)) return true;
    const id = this.ids.find(owner);
    return id !== -1 && this.isAdded(id);
  }

  /** The same for an owner of which the number is known too. */
  hasNumbered(owner: Address, id: number): boolean {
    return this.isAdded(id) || POOL_AUTHORITIES.has(owner);
  }

  /** Whether `add` was called for the address with a number. */
  isAdded(id: number): boolean {
    return (this.bits.get(id >>> 5) & bitOf(id)) !== 0;
  }
}

function bitOf(id: number): number {
  return 1 << (id % WORD_BITS);
}
