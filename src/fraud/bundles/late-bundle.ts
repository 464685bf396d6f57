import type { Judgement } from '../../model/fraud.ts';
import type { CaseLaunch, MintCase } from '../../model/mint-case.ts';
import { asSlot } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import type { EvidenceDraft } from '../evidence/gather-evidence.ts';
import { byStrength, toJudgement } from '../evidence/judgement.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { countText } from '../evidence/sentences.ts';
import { timingEvidence } from '../evidence/timing-evidence.ts';
import {
  atomicityOf,
  type BundleGroup,
  isPlainBuy,
  OWN_LINKS,
  rootOf,
} from '../groups/bundle-group.ts';
import {
  alikeSizesShare,
  burstiness,
  followersPerMember,
  organicBefore,
  spanOf,
  usualBuyersPerSlot,
  volumeShare,
} from '../groups/burst-readings.ts';
import { EXCHANGE_LINK } from '../groups/group-funding.ts';
import { createHoldings, type Holdings } from '../readings/holdings.ts';
import { shareOf } from '../readings/shares.ts';
import { walletsAtRiskUsd } from '../readings/value-at-risk.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf, type Gates } from '../scoring/scoring-card.ts';
import { burstMates, linkedMates } from './bundle-mates.ts';
import {
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
import { findBursts } from './late-bursts.ts';

const GATES = {
  afterLaunchSlots: {
    value: 2,
    reason: 'Earlier purchases belong to the launch: a traditional bundle.',
  },
  ageMsMin: { value: 30_000, reason: 'The first organic trades take about half a minute.' },
  ageMsMax: {
    value: 7 * 24 * 3_600_000,
    reason: 'Later purchases are trades in an established market.',
  },
  organicWalletsMin: {
    value: 5,
    reason: 'Without earlier trades of others there is no appearance of a fair launch.',
  },
  organicBuysMin: {
    value: 10,
    reason: 'A few purchases are not a market that others would trust.',
  },
  walletsMin: { value: 3, reason: 'Two simultaneous wallets are a coincidence or one person.' },
  shareMin: { value: 0.03, reason: 'A smaller share of the supply does not control the price.' },
  volumeShareMin: {
    value: 0.25,
    reason: 'A quarter of the purchases in that time also moves the price.',
  },
  burstMin: {
    value: 3,
    reason:
      'Links place no purchases together: where nothing else does, so many buyers at once must ' +
      'have a probability of 10^-3 at the usual rate.',
  },
} as const satisfies Gates;

type Feature =
  | 'share'
  | 'wallets'
  | 'burst'
  | 'atomicity'
  | 'funding'
  | 'fresh'
  | 'sizes'
  | 'recidivism'
  | 'attention'
  | 'copying';

/** METHODS §7.4. */
export const LATE_BUNDLE_TABLE: ScoringTable<Feature> = {
  fraudType: 'late_bundle',
  bias: -3.4,
  rules: {
    share: rule(
      2,
      [0.03, 0.15],
      'Supply is more expensive by then, so a smaller share is significant.',
    ),
    wallets: walletsRule(0.6),
    burst: rule(
      1.2,
      [3, 8],
      'The probability of so many buyers at once at the usual rate is 10^-3 to 10^-8.',
    ),
    atomicity: atomicityRule(1.2),
    funding: fundingRule(2.4),
    fresh: freshRule(0.7),
    sizes: rule(0.5, null, 'Odd sizes within 10 % of each other were computed; presets are round.'),
    recidivism: recidivismRule(0.6),
    attention: rule(
      -1.5,
      [3, 3],
      'When three times as many wallets follow within a minute, a public event attracted ' +
        'them all.',
    ),
    copying: rule(
      -1.2,
      null,
      'Wallets that follow one leader from mint to mint are copy traders, not a group.',
    ),
  },
};

/** Maximum number of reported bursts per mint, largest first: each costs the work of a finding. */
const BURSTS_MAX = 8;

/**
 * A bundle that waits until others trade, to make the launch look clean. Measured by a burst of
 * buys that were placed together or come from linked wallets, compared with the previous rate of
 * buyers. A public call looks similar, but its buyers are not linked and more buyers follow.
 */
export const lateBundle = detectorOf(LATE_BUNDLE_TABLE, {
  severity: 8,
  pattern:
    'One party buys a large share of the supply through several wallets at once, after ' +
    'others have traded for a while, so that the launch itself looks fair.',
  lookAlikes: [
    'Buyers attracted by a well-known account: not linked, at the current rate, and more ' +
      'follow.',
    'Limit orders of one terminal at a round market cap: a group of terminal users alone ' +
      'is not a bundle.',
    'Copy traders: some slots behind their leader, each with a tip of its own, so not one ' +
      'group.',
    'Snipers that buy every launch: excluded unless they are linked.',
    'One investor whose wallets buy over a minute: no more buyers at once than is usual.',
    'Customers of one exchange with like withdrawals: no link over several slots.',
  ],
  gates: GATES,
  inspect: inspectBursts,
});

function inspectBursts(reading: CaseReading): readonly Judgement[] {
  const { launch } = reading.mintCase;
  if (launch === null) return [];
  const context = toContext(reading);
  const { mintCase } = context;
  // Customers of one exchange also buy within seconds of each other, by limit orders or on a call.
  const clusters = reading.clusters([...OWN_LINKS, EXCHANGE_LINK]);
  const buys = mintCase.trades.filter(
    (trade) => isPlainBuy(trade) && trade.slot > launch.slot + GATES.afterLaunchSlots.value,
  );
  const bundles = findBursts(mintCase, buys, clusters)
    .filter((burst) => isBundle(mintCase, launch, burst))
    .sort(byAcquired)
    .slice(0, BURSTS_MAX);
  if (bundles.length === 0) return [];
  const holdings = createHoldings(mintCase);
  return bundles
    .map((burst) => toBurstFinding(readBundle(burst, context), holdings))
    .sort(byStrength);
}

/** Whether the burst passes every gate. */
function isBundle(mintCase: MintCase, launch: CaseLaunch, { group, placed }: FoundBundle): boolean {
  if (group.members.length < GATES.walletsMin.value) return false;
  const span = spanOf(group);
  const ageMs = span.firstMs - launch.timeMs;
  if (ageMs < GATES.ageMsMin.value || ageMs > GATES.ageMsMax.value) return false;
  const isLarge =
    shareOf(group.acquiredRaw, mintCase.supplyRaw) >= GATES.shareMin.value ||
    volumeShare(mintCase, group, span) >= GATES.volumeShareMin.value;
  if (!isLarge) return false;
  const organic = organicBefore(mintCase, group, span);
  const isMarket =
    organic.wallets >= GATES.organicWalletsMin.value && organic.buys >= GATES.organicBuysMin.value;
  if (!isMarket) return false;
  const isPlaced = placed.some(({ level }) => level !== 'L3');
  return isPlaced || burstOf(mintCase, group).surprise >= GATES.burstMin.value;
}

/** How improbable a burst is at the usual rate of buyers. */
function burstOf(mintCase: MintCase, group: BundleGroup) {
  const span = spanOf(group);
  const slots = span.lastSlot - span.firstSlot + 1;
  const usual = usualBuyersPerSlot(mintCase, span);
  return { slots, usual, surprise: burstiness(group.members.length, usual, slots) };
}

function byAcquired({ group: one }: FoundBundle, { group: other }: FoundBundle): number {
  return (
    Number(other.acquiredRaw - one.acquiredRaw) || spanOf(one).firstSlot - spanOf(other).firstSlot
  );
}

function toBurstFinding(bundle: BundleReading, holdings: Holdings): Judgement {
  const { mintCase, group, funding, clusters, fresh, prior, share } = bundle;
  const span = spanOf(group);
  const { slots, usual, surprise } = burstOf(mintCase, group);
  const measures: Measures<Feature> = {
    share,
    wallets: group.members.length,
    burst: surprise,
    atomicity: atomicityOf(group),
    funding: fundingMeasure(bundle),
    fresh: fresh.length / group.members.length,
    sizes: alikeSizesShare(group),
    recidivism: prior?.count ?? null,
    attention: followersPerMember(mintCase, group, span),
    // The case does not show which wallets follow each other from mint to mint.
    copying: null,
  };
  const mates = [...linkedMates(mintCase, group, clusters), ...burstMates(mintCase, group)];
  const inputs = { mintCase, group, funding, clusters, mates };
  const wallets = assignBundleRoles({ ...inputs, isCreatedWithin: false });
  const shared = bundleTexts(bundle, () => holdings.allBefore(span.lastSlot + 1));
  const followers = Math.round((measures.attention ?? 0) * group.members.length);
  return toJudgement({
    score: scoreCase(LATE_BUNDLE_TABLE, measures, mintCase.isFundingKnown),
    texts: {
      drafts: {
        ...shared,
        burst: () => burstText(group, slots, usual),
        sizes: () => sizesText(group),
      },
      reductions: {
        attention: () => `${countText(followers, 'organic buyer')} in the 60 seconds that followed`,
        copying: () => 'buyers who follow one leader',
      },
    },
    wallets,
    valueAtRiskUsd: walletsAtRiskUsd(mintCase, wallets),
    clusterRoot: rootOf(group),
    patternStartSlot: asSlot(span.firstSlot),
  });
}

function burstText(group: BundleReading['group'], slots: number, usual: number): EvidenceDraft {
  const buyers = countText(group.members.length, 'buyer');
  return {
    type: 'suspicious_timing',
    description: `${buyers} of the group in ${countText(slots, 'slot')}, where ${usual.toFixed(2)} buyers a slot were usual.`,
    payload: timingEvidence(group.buys, 'burst'),
  };
}

function sizesText(group: BundleReading['group']): EvidenceDraft {
  return {
    type: 'similar_patterns',
    description: `${countText(group.members.length, 'wallet')} spent nearly the same amount, no round number.`,
    payload: relationEvidence({
      source: rootOf(group),
      related: group.wallets,
      relationship: 'coordinated_trading',
      strength: alikeSizesShare(group),
    }),
  };
}
