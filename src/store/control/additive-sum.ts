import { hash } from 'node:crypto';

/** 48 bits of a SHA-256: two of them add up exactly in a number. */
const HASH_BYTES = 6;
const MODULUS = 2 ** (8 * HASH_BYTES);

/**
 * A sum of hashes: the same rows give the same sum in any order, and a row that comes or goes
 * changes it by its own hash alone.
 */
export function addToSum(sum: number, row: string): number {
  return (sum + hashOf(row)) % MODULUS;
}

/** Takes out a row that was added. */
export function takeFromSum(sum: number, row: string): number {
  return (sum - hashOf(row) + MODULUS) % MODULUS;
}

function hashOf(row: string): number {
  return hash('sha256', row, 'buffer').readUIntBE(0, HASH_BYTES);
}
