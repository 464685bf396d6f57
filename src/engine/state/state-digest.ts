import { createHash } from 'node:crypto';
import { toBigintJson } from '../../lib/bigint-json.ts';
import type { PagePool } from '../../lib/pages/page-pool.ts';

/** The sum of the contents of one part of the state, in hexadecimal. */
export interface StatePart {
  readonly name: string;
  readonly sum: string;
}

/** The parts of a state, in a fixed order. Costs what changed since the last call. */
export function statePartsOf(pages: PagePool): StatePart[] {
  return pages.spaceNames.map((name, space) => ({ name, sum: pages.sumOf(space) }));
}

/** SHA-256 over lines of text, in the order given. */
export function digestOf(rows: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row).update('\n');
  return hash.digest('hex');
}

/** A running digest for values that are not stored: over the previous digest and `values`. */
export function chainedDigest(previous: string, values: readonly unknown[]): string {
  return digestOf([previous, ...values.map(toBigintJson)]);
}
