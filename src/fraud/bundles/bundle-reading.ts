import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import {
  type BundleGroup,
  type BundleMember,
  freshMembers,
  NO_FUNDING_LINKS,
  OWN_LINKS,
  type PlacedBuy,
  priorBundlesOf,
} from '../groups/bundle-group.ts';
import { findFunding, type GroupFunding } from '../groups/group-funding.ts';
import type { Clusters } from '../links/clusters.ts';
import { orderCase } from '../readings/case-order.ts';
import { shareOf } from '../readings/shares.ts';
import type { CaseReading } from '../scoring/detector.ts';

/** A group of wallets that bought together, and what was placed of its buys. */
export interface FoundBundle {
  readonly group: BundleGroup;
  readonly placed: readonly PlacedBuy[];
}

/** What is read of a bundle, early or late. */
export interface BundleReading extends FoundBundle {
  readonly mintCase: MintCase;
  /** By all links but those that the bundle itself made. */
  readonly clusters: Clusters;
  readonly funding: GroupFunding;
  readonly fresh: readonly BundleMember[];
  readonly prior: { readonly wallet: Address; readonly count: number } | null;
  /** Of the supply, 0 to 1. */
  readonly share: number;
}

export interface BundleContext {
  readonly mintCase: MintCase;
  /** By all links but those that the bundle itself made. */
  readonly clusters: Clusters;
  /** By those of them that tell of funding: most cases have no bundle of which it would be asked. */
  readonly fundingClusters: () => Clusters;
}

/** The case with its lists in block order, and the clusters that a bundle may be judged by. */
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
  return {
    ...found,
    mintCase,
    clusters,
    funding,
    fresh: freshMembers(mintCase, found.group),
    prior: priorBundlesOf(mintCase, [mintCase.launch?.creator ?? null, source]),
    share: shareOf(found.group.acquiredRaw, mintCase.supplyRaw),
  };
}

/** The funding feature: not measured where nobody's payments are held and no other link tells. */
export function fundingMeasure({ mintCase, funding }: BundleReading): number | null {
  return mintCase.isFundingKnown || funding.share > 0 ? funding.share : null;
}
