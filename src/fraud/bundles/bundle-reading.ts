import type { MintCase } from '../../model/mint-case.ts';
import type { CaseReading } from '../contract/detector.ts';
import {
  type BundleGroup,
  type BundleMember,
  freshMembers,
  NO_FUNDING_LINKS,
  OWN_LINKS,
  type PlacedBuy,
  type PriorBundles,
  priorBundlesOf,
  priorBundlesTogether,
} from '../groups/bundle-group.ts';
import { findFunding, type GroupFunding } from '../groups/group-funding.ts';
import type { Clusters } from '../links/clusters.ts';
import { orderCase } from '../readings/case-order.ts';
import { shareOf } from '../readings/shares.ts';

/** A group of wallets that bought together, and those of its buys that were placed together. */
export interface FoundBundle {
  readonly group: BundleGroup;
  readonly placed: readonly PlacedBuy[];
}

/** The measurements of a bundle, early or late. */
export interface BundleReading extends FoundBundle {
  readonly mintCase: MintCase;
  /** From all links except those that the bundle itself creates. */
  readonly clusters: Clusters;
  readonly funding: GroupFunding;
  readonly fresh: readonly BundleMember[];
  /** Earlier bundles of the creator, of the funder, or of the same members: the most. */
  readonly prior: PriorBundles | null;
  /** Share of the supply, 0 to 1. */
  readonly share: number;
}

export interface BundleContext {
  readonly mintCase: MintCase;
  /** From all links except those that the bundle itself creates. */
  readonly clusters: Clusters;
  /** From those links that show funding. Lazy: most cases have no bundle. */
  readonly fundingClusters: () => Clusters;
}

/** The case with its lists in block order, and the clusters that bundles are measured by. */
export function toContext(reading: CaseReading): BundleContext {
  return {
    mintCase: orderCase(reading.mintCase),
    clusters: reading.clusters(OWN_LINKS),
    fundingClusters: () => reading.clusters(NO_FUNDING_LINKS),
  };
}

export function readBundle(found: FoundBundle, context: BundleContext): BundleReading {
  const { mintCase, clusters, fundingClusters } = context;
  const funding = findFunding(mintCase, found.group, fundingClusters());
  const source = funding.backings[0]?.source ?? null;
  const launcher = priorBundlesOf(mintCase, [mintCase.launch?.creator ?? null, source]);
  const together = priorBundlesTogether(mintCase, found.group);
  return {
    ...found,
    mintCase,
    clusters,
    funding,
    fresh: freshMembers(mintCase, found.group),
    prior: together !== null && together.count > (launcher?.count ?? 0) ? together : launcher,
    share: shareOf(found.group.acquiredRaw, mintCase.supplyRaw),
  };
}

/**
 * The funding feature; null (not measured) when no payments are known and no link shows funding.
 */
export function fundingMeasure({ mintCase, funding }: BundleReading): number | null {
  return mintCase.isFundingKnown || funding.share > 0 ? funding.share : null;
}
