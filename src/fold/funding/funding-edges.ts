import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { Address } from '../../model/units.ts';
import { EDGES_MAX, FUNDING_LAYOUT } from './funding-row.ts';

const STRENGTH_SCALE_MS = 7 * 86_400_000;

const FIELD = FUNDING_LAYOUT.fields;

/** All payments of one funder to a wallet. Times are logical milliseconds. */
export interface FundingEdge {
  readonly funder: Address;
  /** Lamports weighted by e^(-age / 7 d) as of the last payment. */
  readonly strength: number;
  readonly lamports: number;
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** The funders stored in a wallet's row, strongest first. */
export function edgesOf(rows: RowTable, row: number, ids: AddressIds<Address>): FundingEdge[] {
  const edges: FundingEdge[] = [];
  for (let index = 0; index < EDGES_MAX; index++) {
    const funder = rows.number(row, FIELD.funder, index);
    if (funder === 0) continue;
    edges.push({
      funder: ids.addressOf(funder - 1),
      strength: rows.number(row, FIELD.strength, index),
      lamports: rows.number(row, FIELD.lamports, index),
      sinceMs: rows.number(row, FIELD.sinceMs, index),
      lastMs: rows.number(row, FIELD.lastMs, index),
    });
  }
  return edges.sort((one, other) => other.strength - one.strength);
}

/**
 * Adds a payment to the funder's edge, or replaces the weakest edge if the payment is stronger.
 * `funder` is the address id plus one, as stored in rows.
 */
export function strengthen(
  rows: RowTable,
  row: number,
  funder: number,
  lamports: number,
  timeMs: number,
): void {
  let weakestIndex = 0;
  let weakest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < EDGES_MAX; index++) {
    const known = rows.number(row, FIELD.funder, index);
    const strength = known === 0 ? -1 : strengthAt(rows, row, index, timeMs);
    if (known === funder) {
      rows.setNumber(row, FIELD.strength, strength + lamports, index);
      rows.setNumber(row, FIELD.lastMs, timeMs, index);
      const paid = rows.number(row, FIELD.lamports, index) + lamports;
      rows.setNumber(row, FIELD.lamports, paid, index);
      return;
    }
    if (strength < weakest) [weakestIndex, weakest] = [index, strength];
  }
  if (lamports <= weakest) return;
  rows.setNumber(row, FIELD.funder, funder, weakestIndex);
  rows.setNumber(row, FIELD.strength, lamports, weakestIndex);
  rows.setNumber(row, FIELD.lamports, lamports, weakestIndex);
  rows.setNumber(row, FIELD.sinceMs, timeMs, weakestIndex);
  rows.setNumber(row, FIELD.lastMs, timeMs, weakestIndex);
}

function strengthAt(rows: RowTable, row: number, index: number, timeMs: number): number {
  const ageMs = timeMs - rows.number(row, FIELD.lastMs, index);
  return rows.number(row, FIELD.strength, index) * Math.exp(-ageMs / STRENGTH_SCALE_MS);
}
