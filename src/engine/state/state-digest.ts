import { createHash } from 'node:crypto';
import { toBigintJson } from '../../lib/bigint-json.ts';
import { HASH_WORDS } from '../../lib/pages/block-hash.ts';
import { sumText } from '../../lib/pages/block-sums.ts';
import type { PagePool } from '../../lib/pages/page-pool.ts';
import type { StatePart } from '../../model/state-digest.ts';

/** The parts of a state, in a fixed order. Costs what changed since the last call. */
export function statePartsOf(pages: PagePool): StatePart[] {
  // Copied at once: each question settles the sums, which encodes all values of the state.
  return storedPartsOf(pages.spaceNames, pages.copySums());
}

/** The parts of a state by its sums, as PagePool copies them. Throws RangeError for other sums. */
export function storedPartsOf(spaceNames: readonly string[], sums: Uint32Array): StatePart[] {
  if (sums.length !== spaceNames.length * HASH_WORDS) {
    throw new RangeError(`${sums.length} words are not the sums of ${spaceNames.length} parts`);
  }
  return spaceNames.map((name, space) => ({ name, sum: sumText(sums, space) }));
}

/** SHA-256 over the parts of a state, in hexadecimal. */
export function digestOfParts(parts: readonly StatePart[]): string {
  return digestOf(parts.map(({ name, sum }) => `${name} ${sum}`));
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
