import { decodeBase58 } from '../../lib/base58.ts';
import { isOnCurve } from '../../lib/program-address.ts';
import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import type { Address } from '../../model/units.ts';

/** Size of the cache: checking whether a point is on the curve takes a tenth of a millisecond. */
const REMEMBERED_MAX = 200_000;
const ADDRESS_BYTES = 32;

/**
 * Decides which owners are wallets (METHODS §0.5): signers, and addresses on the curve, for which a
 * private key can exist, unless they are known infrastructure such as pools or lockers. Addresses
 * owned by programs are infrastructure.
 */
export class WalletOwners {
  // A cache, not part of the state.
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
