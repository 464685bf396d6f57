import type { Clusters, Link } from '../../src/fraud/links/clusters.ts';
import { findClusters } from '../../src/fraud/links/find-clusters.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import { named } from './made-up-units.ts';

/** The link of one family between two wallets of a case; undefined for none. */
export function linkBy(
  family: string,
  mintCase: MintCase,
  [one, other]: readonly [string, string],
): Link | undefined {
  const links = findClusters(mintCase).linksOf(named(one), named(other));
  return links.find((link) => link.family === family);
}

/** The strength of that link; 0 for none. */
export function strengthBy(
  family: string,
  mintCase: MintCase,
  pair: readonly [string, string],
): number {
  return linkBy(family, mintCase, pair)?.strength ?? 0;
}

export function membersOf(clusters: Clusters): (readonly string[])[] {
  return clusters.all.map(({ members }) => members);
}

/** `name01`, `name02`, … */
export function numbered(name: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${name}${String(index + 1).padStart(2, '0')}`,
  );
}
