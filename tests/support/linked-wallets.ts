import type { CaseReading } from '../../src/fraud/contract/detector.ts';
import {
  type Cluster,
  type Clusters,
  LINKED_MIN,
  type Link,
} from '../../src/fraud/links/clusters.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import type { Address } from '../../src/model/units.ts';
import { named } from './made-up-units.ts';

/**
 * A link from the first wallet to each of the others: by default a direct payment of full strength.
 */
export function linksFrom(
  one: string,
  others: readonly string[],
  draft: Partial<Link> = {},
): readonly Link[] {
  return others.map((other) => ({
    one: named(one),
    other: named(other),
    family: 'direct-funding',
    strength: 0.9,
    relationship: 'direct_funding',
    via: named(one),
    ...draft,
  }));
}

/** A case whose wallets are connected only by these links. */
export function readingOf(mintCase: MintCase, links: readonly Link[] = []): CaseReading {
  return {
    mintCase,
    clusters: (without = []) => clustersOf(links.filter(({ family }) => !without.includes(family))),
  };
}

function clustersOf(links: readonly Link[]): Clusters {
  const linksOf = (one: Address, other: Address) =>
    links.filter(
      (link) =>
        (link.one === one && link.other === other) || (link.one === other && link.other === one),
    );
  const strength = (one: Address, other: Address) =>
    1 - linksOf(one, other).reduce((doubt, link) => doubt * (1 - link.strength), 1);
  let parts: { members: Address[]; edges: Link[] }[] = [];
  for (const link of links) {
    if (strength(link.one, link.other) < LINKED_MIN) continue;
    const touched = parts.filter(
      ({ members }) => members.includes(link.one) || members.includes(link.other),
    );
    const members = new Set([link.one, link.other, ...touched.flatMap((part) => part.members)]);
    const isNew = touched.length !== 1 || touched[0]?.members.length !== members.size;
    const edges = [...touched.flatMap((part) => part.edges), ...(isNew ? [link] : [])];
    parts = [...parts.filter((part) => !touched.includes(part)), { members: [...members], edges }];
  }
  const all = parts.map(({ members, edges }): Cluster => {
    const sum = edges.reduce((total, link) => total + link.strength, 0);
    const ordered = [...members].sort();
    return {
      root: ordered[0] as Address,
      members: ordered,
      strength: sum / edges.length,
      edges,
    };
  });
  return {
    all: all.sort((one, other) => (one.root < other.root ? -1 : 1)),
    of: (wallet) => all.find(({ members }) => members.includes(wallet)) ?? null,
    strength,
    linksOf,
  };
}
