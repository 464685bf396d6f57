import type { AddressIds } from '../../lib/address-ids.ts';
import { contentHash } from '../../lib/content-hash.ts';
import type { Address } from '../../model/units.ts';
import { WALLET_FIELDS } from './features/wallet-row.ts';

/** A digest of profiles that does not depend on the order of additions and removals. */
export interface ProfileSum {
  count: number;
  /** Sum of their hashes modulo 2^256. */
  hashSum: bigint;
}

const SUM_MODULUS = 1n << 256n;

/** Adds a profile by its hash. */
export function addProfile(sum: ProfileSum, hash: bigint): void {
  sum.count++;
  sum.hashSum = (sum.hashSum + hash) % SUM_MODULUS;
}

/** Removes a profile that was added with this hash. */
export function removeProfile(sum: ProfileSum, hash: bigint): void {
  sum.count--;
  sum.hashSum = (sum.hashSum + SUM_MODULUS - hash) % SUM_MODULUS;
}

/**
 * Hashes a profile (a row of WALLET_LAYOUT) together with its wallet. The funder is hashed by its
 * address, because address ids depend on the order of appearance.
 */
export function profileHash(ids: AddressIds<Address>, wallet: number, bytes: Uint8Array): bigint {
  const { offset } = WALLET_FIELDS.firstFunder;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const funder = view.getUint32(offset, true);
  const funderAddress = funder === 0 ? '' : ids.addressOf(funder - 1);
  const hex = Buffer.from(bytes)
    .fill(0, offset, offset + 4)
    .toString('hex');
  return BigInt(`0x${contentHash([ids.addressOf(wallet), funderAddress, hex])}`);
}
