import type { Judgement } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import { byStrength, toJudgement } from '../evidence/judgement.ts';
import { atomicityOf, type BundleGroup, freshMembers } from '../groups/bundle-group.ts';
import { FRESH_MONEY_GATES, FRESH_MONEY_STRENGTH } from '../groups/fresh-money.ts';
import { within } from '../readings/case-order.ts';
import { volumeOf } from '../readings/matched-trades.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { shareOf } from '../readings/shares.ts';
import { holdingsAtRiskUsd } from '../readings/value-at-risk.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf } from '../scoring/scoring-card.ts';
import {
  findLaunderings,
  isLinkedTo,
  LAUNDERING_GATES,
  type Laundering,
  type LaunderingContext,
  type LaunderingFeature,
  toContext,
} from './laundering.ts';
import { assignLaunderingRoles, launderingTexts } from './laundering-texts.ts';

/** A wallet that sells earlier than this does not hold. */
const HOLD_MIN_MS = 60_000;
/** Weight of a link between buyers whose cluster contains no seller. */
const LINKED_APART = 0.5;

/** METHODS §7.5. */
export const BUNDLE_AND_LAUNDER_TABLE: ScoringTable<LaunderingFeature> = {
  fraudType: 'bundle_and_launder',
  bias: -4.2,
  rules: {
    rebuy: rule(1.4, [0.5, 0.95], 'The larger the share bought back, the less it was a real sale.'),
    flow: rule(
      2.2,
      [0.2, 0.8],
      'The proceeds of the sale pay for the purchase: the strongest single sign.',
    ),
    atomicity: rule(
      1.4,
      null,
      'Buyers in one transaction or under one tip are controlled together.',
    ),
    delay: rule(
      0.6,
      [1800, 60],
      'In seconds: a purchase a minute later was planned; after half an hour it may have ' +
        'other reasons.',
    ),
    artificial: rule(
      0.8,
      [0.1, 0.5],
      'A tenth of the volume in that time is common; half of it means that they cause it.',
    ),
    hidden: rule(
      0.4,
      null,
      'Buyers funded directly by the creator are not concealed; others may be unrelated.',
    ),
    fresh: rule(
      0.5,
      null,
      'Wallets are often created for the purpose, but older ones are used as well.',
    ),
    link: rule(
      1.6,
      null,
      'How strongly buyers are linked to sellers by evidence other than these trades.',
    ),
    quickProfit: rule(
      -2,
      null,
      'An unlinked wallet that sells again within a minute at a profit trades dips.',
    ),
  },
};

/**
 * The creator sells in public, and seemingly unrelated wallets buy back in bundles. Measured by the
 * wallets that buy placed together within half an hour of the sale, and by the source of their SOL.
 * Buyers of a dip look similar, but use their own money and are not linked.
 */
export const bundleAndLaunder = detectorOf(BUNDLE_AND_LAUNDER_TABLE, {
  severity: 10,
  pattern:
    'Insiders sell visibly, then buy the tokens back through bundles of other wallets ' +
    'that are funded with the proceeds, so that the holders seem to have changed.',
  lookAlikes: [
    'Traders and bots that buy the dip: their purchases are not paid by the proceeds, and ' +
      'they are not linked.',
    'A burst of unrelated buyers after a sale: wallets not linked to sellers are ' +
      'excluded, unless all were freshly funded after the proceeds had been sent on.',
    'Insiders who sell and stay out: the combined holdings of sellers and buyers must ' +
      'stay the same.',
    'Links by shared bundles, similar sizes and joint exits are excluded: the pattern ' +
      'itself causes them.',
  ],
  gates: { ...LAUNDERING_GATES, ...FRESH_MONEY_GATES },
  inspect: (reading) => {
    const context = toContext(reading);
    if (context === null) return [];
    return findLaunderings(context)
      .map((laundering) => toLaunderingFinding(context, laundering))
      .sort(byStrength);
  },
});

function toLaunderingFinding(context: LaunderingContext, laundering: Laundering): Judgement {
  const { mintCase, creator, clusters } = context;
  const { sale, sellers, group } = laundering;
  const measures = measureLaundering(context, laundering);
  const involved = [...sellers, ...group.wallets];
  const [least = creator] = involved.toSorted();
  const seller = sale.sales.find(({ wallet }) => clusters.of(wallet) !== null)?.wallet;
  return toJudgement({
    score: scoreCase(BUNDLE_AND_LAUNDER_TABLE, measures, mintCase.isFundingKnown),
    texts: launderingTexts(context, laundering, measures),
    wallets: assignLaunderingRoles(context, laundering),
    valueAtRiskUsd: holdingsAtRiskUsd(mintCase, involved),
    clusterRoot: (seller && clusters.of(seller)?.root) ?? least,
    patternStartSlot: sale.first.slot,
  });
}

function measureLaundering(
  context: LaunderingContext,
  laundering: Laundering,
): Measures<LaunderingFeature> {
  const { mintCase } = context;
  const { sale, placed, group, boughtRaw, flow, endMs } = laundering;
  const buys = [...new Set(placed.map(({ buy }) => buy))];
  const traced = buys.reduce((sum, buy) => sum + flow.spentOn(buy), 0n);
  const firstBuyMs = Math.min(...buys.map(({ timeMs }) => timeMs));
  const around = within(mintCase.trades, sale.first.timeMs, endMs);
  const isFlowKnown = mintCase.isFundingKnown || traced > 0n;
  return {
    rebuy: shareOf(boughtRaw, sale.soldRaw),
    flow: isFlowKnown ? shareOf(traced, volumeOf(buys)) : null,
    atomicity: atomicityOf(group),
    delay: Math.max(0, firstBuyMs - sale.last.timeMs) / 1000,
    artificial: shareOf(volumeOf(sale.sales) + volumeOf(buys), volumeOf(around)),
    hidden: isHidden(context, group) ? 1 : 0,
    fresh: freshMembers(mintCase, group).length / group.members.length,
    link: linkOf(context, laundering),
    quickProfit: quickProfitOf(context, laundering),
  };
}

/** Whether no buyer received money or tokens directly from the creator. */
function isHidden({ mintCase, creator }: LaunderingContext, { wallets }: BundleGroup): boolean {
  const isPaid = (wallet: Address): boolean => {
    const known = mintCase.wallets.get(wallet);
    if (known === undefined) return false;
    return [known.firstFunding, ...known.fundings].some((funding) => funding?.funder === creator);
  };
  const isFromCreator = ({ from, to }: { readonly from: Address; readonly to: Address }): boolean =>
    from === creator && wallets.has(to);
  return !(
    [...wallets].some(isPaid) ||
    paymentsFrom(mintCase)(creator, Number.NEGATIVE_INFINITY).some(isFromCreator) ||
    mintCase.transfers.some(isFromCreator)
  );
}

/**
 * Mean strength of the buyers' clusters, weighted by tokens; clusters without a seller count half.
 * Unlinked buyers of a burst of fresh money have at least the strength of such a burst.
 */
function linkOf({ clusters }: LaunderingContext, laundering: Laundering): number {
  const { group, sellers, strangers } = laundering;
  return group.members.reduce((sum, { wallet, acquiredRaw }) => {
    const strength = clusters.of(wallet)?.strength ?? 0;
    const isLinked = isLinkedTo(clusters, wallet, sellers);
    const apart = Math.max(strength, strangers.has(wallet) ? FRESH_MONEY_STRENGTH : 0);
    const counted = isLinked ? strength : LINKED_APART * apart;
    return sum + counted * shareOf(acquiredRaw, group.acquiredRaw);
  }, 0);
}

/**
 * Part of the purchases that wallets without a link to a seller sold at a profit within a minute.
 */
function quickProfitOf(context: LaunderingContext, { placed, sellers }: Laundering): number {
  const { mintCase, clusters } = context;
  const buys = [...new Set(placed.map(({ buy }) => buy))];
  const quick = buys.filter((buy) => {
    if (isLinkedTo(clusters, buy.wallet, sellers)) return false;
    return within(mintCase.trades, buy.timeMs, buy.timeMs + HOLD_MIN_MS - 1).some(
      ({ wallet, side, baseRaw, lamports }) =>
        wallet === buy.wallet && side === 'sell' && lamports * buy.baseRaw > buy.lamports * baseRaw,
    );
  });
  return shareOf(volumeOf(quick), volumeOf(buys));
}
