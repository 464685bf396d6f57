import type { RowTable } from '../../../lib/row-table.ts';
import { SIZES, WALLET_FIELDS } from './wallet-row.ts';

const { sizeCodes, sizeCounts, sizedBuys } = WALLET_FIELDS;
const COUNT_MAX = 0xffff;
const CODES_PER_EXPONENT = 1_000;

/**
 * Counts a rounded buy size with the Misra–Gries algorithm (1982) in five counters: a size without
 * a counter decrements all of them. A count is never too high, is exact while a wallet has at most
 * five sizes, and misses at most a sixth of the buys, which is too little to affect the bot score.
 * All counts are halved at 65,535 buys.
 */
export function countBuySize(rows: RowTable, row: number, lamports: bigint): void {
  const code = sizeCode(lamports);
  if (code === 0) return;
  if (rows.number(row, sizedBuys) === COUNT_MAX) halve(rows, row);
  rows.setNumber(row, sizedBuys, rows.number(row, sizedBuys) + 1);
  let free = -1;
  for (let at = 0; at < SIZES; at++) {
    const count = rows.number(row, sizeCounts, at);
    if (count === 0) free = free < 0 ? at : free;
    else if (rows.number(row, sizeCodes, at) === code) {
      rows.setNumber(row, sizeCounts, count + 1, at);
      return;
    }
  }
  if (free < 0) takeOneOffEach(rows, row);
  else {
    rows.setNumber(row, sizeCodes, code, free);
    rows.setNumber(row, sizeCounts, 1, free);
  }
}

function takeOneOffEach(rows: RowTable, row: number): void {
  for (let at = 0; at < SIZES; at++) {
    const left = rows.number(row, sizeCounts, at) - 1;
    rows.setNumber(row, sizeCounts, left, at);
    if (left === 0) rows.setNumber(row, sizeCodes, 0, at);
  }
}

function halve(rows: RowTable, row: number): void {
  rows.setNumber(row, sizedBuys, COUNT_MAX >>> 1);
  for (let at = 0; at < SIZES; at++) {
    const left = rows.number(row, sizeCounts, at) >>> 1;
    rows.setNumber(row, sizeCounts, left, at);
    if (left === 0) rows.setNumber(row, sizeCodes, 0, at);
  }
}

export interface ModalSize {
  /** In lamports, rounded to three digits; 0 when there is none. */
  readonly lamports: number;
  readonly count: number;
  /** At most two significant digits of SOL, as people type it. */
  readonly isRound: boolean;
}

/** The most frequent buy size; the smallest one in case of a tie. */
export function modalSize(rows: RowTable, row: number): ModalSize {
  let code = 0;
  let count = 0;
  for (let at = 0; at < SIZES; at++) {
    const each = rows.number(row, sizeCounts, at);
    const eachCode = rows.number(row, sizeCodes, at);
    if (each > count || (each === count && each > 0 && eachCode < code)) {
      code = eachCode;
      count = each;
    }
  }
  const digits = code % CODES_PER_EXPONENT;
  const lamports = digits * 10 ** Math.floor(code / CODES_PER_EXPONENT);
  return { lamports, count, isRound: digits < 100 || digits % 10 === 0 };
}

/** Encodes a size as three significant digits and a power of ten; 0 if it is not above zero. */
export function sizeCode(lamports: bigint): number {
  if (lamports <= 0n) return 0;
  let digits = Number(lamports > LAMPORTS_MAX ? LAMPORTS_MAX : lamports);
  let exponent = 0;
  for (; digits >= CODES_PER_EXPONENT - 0.5; digits /= 10) exponent++;
  return exponent * CODES_PER_EXPONENT + Math.round(digits);
}

/** More than the total supply of SOL, and small enough for a 16-bit code. */
const LAMPORTS_MAX = 10n ** 18n;
