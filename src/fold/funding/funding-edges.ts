import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { Address } from '../../model/units.ts';
import { EDGES_MAX, FUNDING_LAYOUT } from './funding-row.ts';

const STRENGTH_SCALE_MS = 7 * 86_400_000;

const FIELD = FUNDING_LAYOUT.fields;

/** All that one funder paid to a wallet. Times are logical milliseconds. */
export interface FundingEdge {
  readonly funder: Address;
  /** Lamports weighed by e^(-age / 7 d) as of the last payment. */
  readonly strength: number;
  readonly lamports: number;
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** The funders that a wallet's row has, strongest first. */
export function edgesOf(rows: RowTable, row: number, ids: AddressIds<Address>): FundingEdge[] {
  const edges: FundingEdge[] = [];
  for (let place = 0; place < EDGES_MAX; place++) {
    const funder = rows.number(row, FIELD.funder, place);
    if (funder === 0) continue;
    edges.push({
      funder: ids.addressOf(funder - 1),
      strength: rows.number(row, FIELD.strength, place),
      lamports: rows.number(row, FIELD.lamports, place),
      sinceMs: rows.number(row, FIELD.sinceMs, place),
      lastMs: rows.number(row, FIELD.lastMs, place),
    });
  }
  return edges.sort((one, other) => other.strength - one.strength);
}

/**
 * Adds to the funder's edge, or puts a new one in place of the weakest if it is stronger. `funder` is
 * a number plus one, as rows have it.
 */
export function strengthen(
  rows: RowTable,
  row: number,
  funder: number,
  lamports: number,
  timeMs: number,
): void {
  let place = 0;
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
    if (strength < weakest) [place, weakest] = [index, strength];
  }
  if (lamports <= weakest) return;
  rows.setNumber(row, FIELD.funder, funder, place);
  rows.setNumber(row, FIELD.strength, lamports, place);
  rows.setNumber(row, FIELD.lamports, lamports, place);
  rows.setNumber(row, FIELD.sinceMs, timeMs, place);
  rows.setNumber(row, FIELD.lastMs, timeMs, place);
}

function strengthAt(rows: RowTable, row: number, place: number, timeMs: number): number {
  const ageMs = timeMs - rows.number(row, FIELD.lastMs, place);
  return rows.number(row, FIELD.strength, place) * Math.exp(-ageMs / STRENGTH_SCALE_MS);
}
