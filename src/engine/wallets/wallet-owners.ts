import { decodeBase58 } from '../../lib/base58.ts';
import { isOnCurve } from '../../lib/program-address.ts';
import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import type { Address } from '../../model/units.ts';

/** Answers that are remembered: telling a point takes a tenth of a millisecond. */
const REMEMBERED_MAX = 200_000;
const ADDRESS_BYTES = 32;

/**
 * Which owners are wallets (METHODS §0.5): those who sign, and those whose address is a point of the
 * curve, so that somebody could, unless it is known to be a pool's, a locker's or the like. What
 * programs own is infrastructure.
 */
export class WalletOwners {
  // No part of the state: forgetting it changes nothing.
  readonly #remembered = new Map<Address, boolean>();

  isWallet(owner: Address, signers: readonly Address[]): boolean {
    return signers.includes(owner) || this.isPerson(owner);
  }

  private isPerson(owner: Address): boolean {
    const known = this.#remembered.get(owner);
    if (known !== undefined) return known;
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    const bytes = decodeBase58(owner);
    const isPoint = bytes?.length === ADDRESS_BYTES && isOnCurve(bytes);
    const isPerson = isPoint && !ADDRESS_REGISTRY.isInfrastructure(owner);
    this.#remembered.set(owner, isPerson);
    return isPerson;
  }
}
