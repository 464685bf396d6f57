import { decodeBase58 } from '../../src/lib/base58.ts';
import { isOnCurve } from '../../src/lib/program-address.ts';
import type { Address, Signature } from '../../src/model/units.ts';
import { mixed } from './random-numbers.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = ALPHABET.length;
/** Codes of all pairs of digits; a text is written two digits at a time. */
const PAIR_COUNT = BASE ** 2;
const PAIRS = Uint16Array.from({ length: PAIR_COUNT }, (_, pair) => {
  const [first, second] = [Math.floor(pair / BASE), pair % BASE];
  return ALPHABET.charCodeAt(first) + ALPHABET.charCodeAt(second) * 256;
});

/** 43 digits of base58 are below 2^256, and at least 2^248 if the first one is 4 or more. */
const ADDRESS_DIGITS = 43;
const ADDRESS_FIRST_MIN = 4;
/** 87 digits are below 2^512, and at least 2^504 if the first one is 2 or more. */
const SIGNATURE_DIGITS = 87;
const SIGNATURE_FIRST_MIN = 2;

const FIRST_DIGITS = Buffer.from(ALPHABET, 'latin1');
const codes = new Uint16Array((SIGNATURE_DIGITS + 1) / 2);
const text = Buffer.from(codes.buffer) as Buffer & {
  /** Node's own function behind `toString('latin1')`, without its overhead. */
  latin1Slice(start: number, end: number): string;
};

/** Subjects of addresses. */
export const KIND = {
  wallet: 1,
  mint: 2,
  curve: 3,
  pool: 4,
  baseVault: 5,
  quoteVault: 6,
  account: 7,
  wrapper: 8,
  lpMint: 9,
  provider: 10,
  providerAccount: 11,
  escrow: 12,
  receiver: 13,
  authority: 14,
  signature: 15,
} as const;

/** Whole numbers that differ for each kind and position, so that texts of two kinds never agree. */
const SALTS = Object.values(KIND).map((kind) =>
  Uint32Array.from({ length: codes.length }, (_, index) => mixed(index, mixed(kind, 0x5a17))),
);

/**
 * The address of a number, below 2^32, of a kind: base58 of exactly 32 bytes, as random as a real
 * one, in a new string, as a decoder returns it.
 */
export function addressOf(kind: number, number: number): Address {
  write(kind, number, ADDRESS_DIGITS, ADDRESS_FIRST_MIN);
  return text.latin1Slice(1, 1 + ADDRESS_DIGITS) as Address;
}

/** The signature of a number below 2^32: base58 of exactly 64 bytes. */
export function signatureOf(number: number): Signature {
  write(KIND.signature, number, SIGNATURE_DIGITS, SIGNATURE_FIRST_MIN);
  return text.latin1Slice(1, 1 + SIGNATURE_DIGITS) as Signature;
}

/** The first number from `number` on, in steps of `step`, whose address can be a program's. */
export function programOwnedNumber(kind: number, number: number, step: number): number {
  let candidate = number;
  while (isPoint(addressOf(kind, candidate))) candidate += step;
  return candidate;
}

/** The first number from `number` on, in steps of `step`, whose address can be a person's. */
export function personalNumber(kind: number, number: number, step: number): number {
  let candidate = number;
  while (!isPoint(addressOf(kind, candidate))) candidate += step;
  return candidate;
}

function isPoint(address: Address): boolean {
  const bytes = decodeBase58(address);
  return bytes !== null && isOnCurve(bytes);
}

function write(kind: number, number: number, digits: number, firstMin: number): void {
  const salts = SALTS[kind - 1] as Uint32Array;
  const start = Math.imul(number, 0x9e3779b1) | 0;
  for (let index = 0; index * 4 < digits; index++) {
    let value = (start + Math.imul(index, 0x7feb352d)) | 0;
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35) ^ (salts[index] as number);
    // 24 bits are enough for four digits, and integers that small are divided fastest.
    const rest = (value ^ (value >>> 16)) >>> 8;
    codes[index * 2] = PAIRS[rest % PAIR_COUNT] as number;
    codes[index * 2 + 1] = PAIRS[((rest / PAIR_COUNT) | 0) % PAIR_COUNT] as number;
  }
  text[1] = FIRST_DIGITS[
    firstMin + (((start ^ (salts[0] as number)) >>> 8) % (BASE - firstMin))
  ] as number;
}
