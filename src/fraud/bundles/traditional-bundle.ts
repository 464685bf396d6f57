import type { Judgement } from '../../model/fraud.ts';
import type { CaseLaunch, CaseTrade } from '../../model/mint-case.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import type { EvidenceDraft } from '../evidence/gather-evidence.ts';
import { toJudgement } from '../evidence/judgement.ts';
import { countText, percentText } from '../evidence/sentences.ts';
import { timingEvidence } from '../evidence/timing-evidence.ts';
import {
  atomicityOf,
  countTransactions,
  isPlainBuy,
  OWN_LINKS,
  type PlacedBuy,
  placedBuys,
  rootOf,
  toGroup,
} from '../groups/bundle-group.ts';
import { spanOf, volumeShare } from '../groups/burst-readings.ts';
import { EXCHANGE_LINK } from '../groups/group-funding.ts';
import { COHORT_SLOTS, findLinkedCohorts, type LinkedCohort } from '../groups/linked-cohorts.ts';
import { lockedShare } from '../groups/locked-share.ts';
import type { Clusters } from '../links/clusters.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { holdingsSinceLaunch } from '../readings/holdings-since-launch.ts';
import { walletsAtRiskUsd } from '../readings/value-at-risk.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf, type Gates } from '../scoring/scoring-card.ts';
import { linkedMates } from './bundle-mates.ts';
import {
  type BundleContext,
  type BundleReading,
  type FoundBundle,
  fundingMeasure,
  readBundle,
  toContext,
} from './bundle-reading.ts';
import { assignBundleRoles } from './bundle-roles.ts';
import {
  atomicityRule,
  freshRule,
  fundingRule,
  recidivismRule,
  walletsRule,
} from './bundle-rules.ts';
import { bundleTexts } from './bundle-texts.ts';

const GATES = {
  windowSlots: {
    value: 3,
    reason:
      'Tools put the creation and the purchases into one slot, and the rest into the ' +
      'following slots.',
  },
  windowMsMax: {
    value: 30_000,
    reason:
      'Linked wallets that buy so early, through a terminal or not, need no look of a market; ' +
      'later ones are late bundles.',
  },
  walletsMin: {
    value: 3,
    reason: 'A creator that buys alone, or with one other wallet, conceals nothing.',
  },
  shareMin: { value: 0.05, reason: 'A smaller share of the supply does not control the price.' },
  crowdMin: {
    value: 10,
    reason:
      'So many wallets of one group look like a crowd of buyers: with a smaller share they count ' +
      'where they are much of what is bought.',
  },
  crowdShareMin: { value: 0.03, reason: 'The least share of a late bundle.' },
  crowdVolumeMin: {
    value: 0.25,
    reason: 'A quarter of the purchases in that time moves the price, as in a late bundle.',
  },
} as const satisfies Gates;

type Feature =
  | 'share'
  | 'wallets'
  | 'atomicity'
  | 'funding'
  | 'fresh'
  | 'contiguity'
  | 'recidivism'
  | 'disclosed';

/** METHODS §7.3. */
export const TRADITIONAL_BUNDLE_TABLE: ScoringTable<Feature> = {
  fraudType: 'traditional_bundle',
  bias: -3.2,
  rules: {
    share: rule(
      2.2,
      [0.05, 0.25],
      'Early supply is cheap, so the share alone gives at most medium confidence.',
    ),
    wallets: walletsRule(0.8),
    atomicity: atomicityRule(1.5),
    funding: fundingRule(2.5),
    fresh: freshRule(0.7),
    contiguity: rule(
      0.6,
      null,
      'Consecutive positions right after the creation show knowledge of it.',
    ),
    recidivism: recidivismRule(0.8),
    disclosed: rule(
      -1.5,
      null,
      'Tokens that are locked for 30 days or sold to a whitelist cannot be dumped on ' + 'buyers.',
    ),
  },
};

/** Maximum distance, in transactions, between neighbours in the row that starts at the creation. */
const CONTIGUOUS_MAX = 5;

/**
 * A launch whose first tokens go to several wallets of one owner. Measured by the wallets that buy
 * placed together within two slots of the creation, and by their links. Independent snipers look
 * similar, but each pays its own tip and they are not linked.
 */
export const traditionalBundle = detectorOf(TRADITIONAL_BUNDLE_TABLE, {
  severity: 9,
  pattern:
    'The creator or an associate buys a large share of the supply through several wallets ' +
    'in one bundle at launch, before anyone else can, or through linked wallets in the first ' +
    'half minute.',
  lookAlikes: [
    'Independent snipers in the launch slot: a tip each and no links; wallets that snipe ' +
      'every launch are excluded.',
    "A team that buys openly with the creator's wallet: fewer than three wallets.",
    'A launch by alpha vault or whitelist: counts as fully disclosed.',
    'Users of one exchange or fee sponsor: services do not count as a common funder.',
  ],
  gates: GATES,
  inspect: inspectLaunch,
});

/** One finding per launch: all wallets placed in it form one group. */
function inspectLaunch(reading: CaseReading): readonly Judgement[] {
  const { launch } = reading.mintCase;
  if (launch === null) return [];
  const context = {
    ...toContext(reading),
    ownerClusters: () => reading.clusters([...OWN_LINKS, EXCHANGE_LINK]),
  };
  const found = findLaunchGroup(context, launch);
  if (found.placed.length === 0 || found.group.members.length < GATES.walletsMin.value) return [];
  const bundle = readBundle(found, context);
  return isLarge(bundle) ? [toLaunchFinding(found, bundle, launch)] : [];
}

/** By its share of the supply; that of many wallets may be smaller, where they make the market. */
function isLarge({ mintCase, group, share }: BundleReading): boolean {
  if (share >= GATES.shareMin.value) return true;
  if (share < GATES.crowdShareMin.value || group.members.length < GATES.crowdMin.value) {
    return false;
  }
  return volumeShare(mintCase, group, spanOf(group)) >= GATES.crowdVolumeMin.value;
}

interface LaunchContext extends BundleContext {
  /** From all links but those of the bundle itself and of exchanges. Lazy. */
  readonly ownerClusters: () => Clusters;
}

/** A launch bundle: those placed in the first slots, and who belongs to it until its window ends. */
interface LaunchBundle extends FoundBundle {
  /** What was bought and placed in the first slots; all of it when nothing was. */
  readonly core: FoundBundle;
  /** The last slot of a purchase. */
  readonly lastSlot: Slot;
}

/**
 * Buyers placed with others in the first slots, linked wallets of which at least three buy until the
 * window ends, and the creator if it bought.
 */
function findLaunchGroup(context: LaunchContext, launch: CaseLaunch): LaunchBundle {
  const { mintCase, clusters } = context;
  const firstLastSlot = lastSlotOf(launch);
  const windowEndMs = launch.timeMs + GATES.windowMsMax.value;
  const trades = mintCase.trades.filter(
    ({ slot, timeMs }) => slot >= launch.slot && (slot <= firstLastSlot || timeMs <= windowEndMs),
  );
  const first = trades.filter(({ slot }) => slot <= firstLastSlot);
  const firstBuys = first.filter(isPlainBuy);
  const cohorts = findLinkedCohorts(firstBuys, clusters, COHORT_SLOTS);
  const placed = placedBuys(mintCase, { buys: firstBuys, cohorts, clusters });
  const own = firstBuys.filter(({ wallet }) => wallet === launch.creator);
  const later = windowBuys(context, trades.filter(isPlainBuy), firstLastSlot);
  const lastSlot = later.at(-1)?.slot ?? firstLastSlot;
  const all = [...placed, ...later.map((buy): PlacedBuy => ({ buy, level: 'L3' }))];
  const until = trades.filter(({ slot }) => slot <= lastSlot);
  const whole = { placed: all, group: toGroup(all, own, until) };
  const core = placed.length === 0 ? whole : { placed, group: toGroup(placed, own, first) };
  return { ...whole, core, lastSlot };
}

/**
 * Purchases of linked wallets over the window, when some of them are later than the first slots. One
 * exchange that paid them is no link here: its customers buy every launch in its first minute.
 */
function windowBuys(
  { clusters, ownerClusters }: LaunchContext,
  buys: readonly CaseTrade[],
  firstLastSlot: Slot,
): readonly CaseTrade[] {
  const laterIn = (linked: Clusters): readonly LinkedCohort[] =>
    findLinkedCohorts(buys, linked, Number.POSITIVE_INFINITY).filter((cohort) =>
      cohort.buys.some(({ slot }) => slot > firstLastSlot),
    );
  // Whom no link connects, none of an owner does: most launches need no clusters of their own.
  if (laterIn(clusters).length === 0) return [];
  return laterIn(ownerClusters())
    .flatMap((cohort) => cohort.buys)
    .sort(byChainOrder);
}

function toLaunchFinding(
  found: LaunchBundle,
  bundle: BundleReading,
  launch: CaseLaunch,
): Judgement {
  const { mintCase, group, placed, funding, clusters, fresh, prior, share } = bundle;
  const { core, lastSlot } = found;
  const near = rowFromCreation(core.group.buys, launch);
  const locked = launch.isListedSale ? 1 : lockedShare(mintCase, group);
  const measures: Measures<Feature> = {
    share,
    wallets: group.members.length,
    // Later purchases of linked wallets make those of the first slots no less placed together.
    atomicity: atomicityOf(core.group),
    funding: fundingMeasure(bundle),
    fresh: fresh.length / group.members.length,
    contiguity: countTransactions(near) / countTransactions(core.group.buys),
    recidivism: prior?.count ?? null,
    disclosed: locked,
  };
  const isCreatedWithin = placed.some((one) => isPlacedWithCreation(one, launch));
  const mates = linkedMates(mintCase, group, clusters);
  const isLater = lastSlot > lastSlotOf(launch);
  const window = isLater ? { fromSlot: lastSlotOf(launch) + 1 } : null;
  const inputs = { mintCase, group, funding, clusters, mates, isCreatedWithin, window };
  const wallets = assignBundleRoles(inputs);
  const contiguity = (): EvidenceDraft => ({
    type: 'suspicious_timing',
    description: `${countTransactions(near)} of ${countText(countTransactions(core.group.buys), 'transaction')} stand in a row with the creation, none more than ${CONTIGUOUS_MAX} places from the next.`,
    payload: timingEvidence(near, 'launch_block'),
  });
  const disclosed = () =>
    launch.isListedSale
      ? 'a sale to a list before the public could buy'
      : `a lock of 30 days or more on ${percentText(locked)} of the group's tokens`;
  const shared = bundleTexts(
    { ...bundle, lastMs: isLater ? (group.buys.at(-1)?.timeMs ?? null) : null },
    () => holdingsSinceLaunch(mintCase, lastSlot),
  );
  return toJudgement({
    score: scoreCase(TRADITIONAL_BUNDLE_TABLE, measures, mintCase.isFundingKnown),
    texts: { drafts: { ...shared, contiguity }, reductions: { disclosed } },
    wallets,
    valueAtRiskUsd: walletsAtRiskUsd(mintCase, wallets),
    clusterRoot: launch.creator ?? rootOf(group),
    patternStartSlot: launch.slot,
  });
}

function lastSlotOf({ slot }: CaseLaunch): Slot {
  return asSlot(slot + GATES.windowSlots.value - 1);
}

/**
 * Buys within five transactions of the creation, or of another such buy: a bundle holds five
 * transactions, and the next bundle follows directly.
 */
function rowFromCreation(buys: readonly CaseTrade[], launch: CaseLaunch): readonly CaseTrade[] {
  const distanceFrom = ({ txIndex }: CaseTrade): number => Math.abs(txIndex - launch.txIndex);
  const nearestFirst = buys
    .filter(({ slot }) => slot === launch.slot)
    .sort((one, other) => distanceFrom(one) - distanceFrom(other));
  let reached = 0;
  return nearestFirst.filter((buy) => {
    const isNext = distanceFrom(buy) - reached <= CONTIGUOUS_MAX;
    if (isNext) reached = distanceFrom(buy);
    return isNext;
  });
}

/** Whether the creation is in the buy's own bundle: adjacent, or shortly before similar buys. */
function isPlacedWithCreation({ buy, level }: PlacedBuy, launch: CaseLaunch): boolean {
  if (level === 'L3' || buy.slot !== launch.slot) return false;
  if (buy.wallet === launch.creator) return true;
  const distance = Math.abs(buy.txIndex - launch.txIndex);
  return distance <= (level === 'L2o' ? CONTIGUOUS_MAX : 1);
}
