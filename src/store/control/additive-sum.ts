import { hash } from 'node:crypto';

/** 48 bits of a SHA-256: the sum of two is exact in a JavaScript number. */
const HASH_BYTES = 6;
const MODULUS = 2 ** (8 * HASH_BYTES);

/**
 * Adds a row to a sum of hashes. The same rows give the same sum in any order, and adding or
 * removing a row changes the sum by the hash of that row only.
 */
export function addToSum(sum: number, row: string): number {
  return (sum + hashOf(row)) % MODULUS;
}

/** Removes a row that was added before. */
export function takeFromSum(sum: number, row: string): number {
  return (sum - hashOf(row) + MODULUS) % MODULUS;
}

function hashOf(row: string): number {
  return hash('sha256', row, 'buffer').readUIntBE(0, HASH_BYTES);
}
