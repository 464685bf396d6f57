import type { RowTable } from '../../../lib/row-table.ts';
import { SIZES, WALLET_FIELDS } from './wallet-row.ts';

const { sizeCodes, sizeCounts, sizedBuys } = WALLET_FIELDS;
const COUNT_MAX = 0xffff;
const CODES_PER_EXPONENT = 1_000;

/**
 * Counts a rounded buy size among the few that are kept, by Misra and Gries (1982): a size beyond
 * those takes one off each of them. So a count is never too high, is exact while a wallet has no
 * more than five sizes, and misses at most a sixth of the buys, which is far from what tells a bot.
 * Half of all is forgotten at 65,535 buys.
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
  /** At most two digits of SOL: what people type. */
  readonly isRound: boolean;
}

/** The size that was bought most often; of equally frequent ones the smallest. */
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

/** Three significant digits and a power of ten; 0 for what is no size. */
export function sizeCode(lamports: bigint): number {
  if (lamports <= 0n) return 0;
  let digits = Number(lamports > LAMPORTS_MAX ? LAMPORTS_MAX : lamports);
  let exponent = 0;
  for (; digits >= CODES_PER_EXPONENT - 0.5; digits /= 10) exponent++;
  return exponent * CODES_PER_EXPONENT + Math.round(digits);
}

/** More than all the SOL there is, and few enough for a code of 16 bits. */
const LAMPORTS_MAX = 10n ** 18n;
