import type { InvolvedWallet } from '../../model/fraud.ts';
import type { CasePayment, MintCase } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { EvidenceDraft, EvidenceTexts } from '../evidence/gather-evidence.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { countText, percentText } from '../evidence/sentences.ts';
import { supplyEvidence } from '../evidence/supply-evidence.ts';
import { timingEvidence } from '../evidence/timing-evidence.ts';
import {
  type EvidenceMovement,
  tradeMovement,
  transactionEvidence,
} from '../evidence/transaction-evidence.ts';
import { freshMembers } from '../groups/bundle-group.ts';
import { backerClaims, clusterEvidence, freshEvidence } from '../groups/crew.ts';
import { FRESH_MONEY_STRENGTH } from '../groups/fresh-money.ts';
import { findDestinations, involveWallets, type RoleClaim } from '../groups/roles.ts';
import { compareText } from '../readings/block-order.ts';
import { shareOf } from '../readings/shares.ts';
import { lamportsToUsd } from '../readings/value-at-risk.ts';
import type { Measures } from '../scoring/score.ts';
import type { Laundering, LaunderingContext, LaunderingFeature } from './laundering.ts';

/** Evidence texts of a sale and its buy-back, by feature. */
export function launderingTexts(
  context: LaunderingContext,
  laundering: Laundering,
  measures: Measures<LaunderingFeature>,
): EvidenceTexts {
  const { mintCase } = context;
  const { sale, placed, group } = laundering;
  const buys = [...new Set(placed.map(({ buy }) => buy))];
  const part = (name: LaunderingFeature): string => percentText(measures[name] ?? 0);
  const buyers = countText(group.members.length, 'wallet');
  return {
    drafts: {
      rebuy: () => ({
        type: 'supply_concentration',
        description: `${part('rebuy')} of the ${percentText(shareOf(sale.soldRaw, mintCase.supplyRaw))} of the supply that insiders sold was bought back by ${buyers}.`,
        payload: supplyAfter(context, laundering),
      }),
      flow: () => ({
        type: 'circular_flow',
        description: `${part('flow')} of what the buyers paid came from the proceeds of the sale.`,
        payload: transactionEvidence(
          [
            ...sale.sales.map(tradeMovement),
            ...laundering.flow.route.map((payment) => paymentMovement(mintCase, payment)),
            ...buys.map(tradeMovement),
          ],
          false,
        ),
      }),
      atomicity: () => ({
        type: 'bundled_transaction',
        description: `${buyers} bought back in bundles.`,
        payload: transactionEvidence(buys.map(tradeMovement), true),
      }),
      delay: () => ({
        type: 'suspicious_timing',
        description: `The buy-back began ${(measures.delay ?? 0).toFixed(0)} seconds after the sale.`,
        payload: timingEvidence([...sale.sales, ...buys], 'sell_then_bundle'),
      }),
      artificial: () => ({
        type: 'volume_manipulation',
        description: `Sale and buy-back make ${part('artificial')} of the volume from the one to the other.`,
        payload: transactionEvidence(sale.sales.map(tradeMovement), false),
      }),
      hidden: () => hiddenText(context, laundering, measures.link ?? 0),
      fresh: () => freshEvidence(freshMembers(mintCase, group), group, 'buyer'),
      link: () => linkText(context, laundering),
    },
    reductions: {
      quickProfit: () =>
        `a profit taken within a minute on ${part('quickProfit')} of the purchases by unlinked wallets`,
    },
  };
}

/**
 * Assigns the roles of a laundering (METHODS §7.5): the seller is the attacker, buyers are
 * bundlers, and wallets that forwarded proceeds are intermediaries or funding sources.
 */
export function assignLaunderingRoles(
  { mintCase, creator }: LaunderingContext,
  { sale, sellers, group, flow, endMs }: Laundering,
): InvolvedWallet[] {
  const attacker = sellers.has(creator) ? creator : largestSeller(sale.sales);
  const involved = new Set([...sellers, ...group.wallets]);
  const backers = backerClaims(mintCase, group.wallets, endMs);
  const hasSource = backers.some(([, role]) => role === 'funding_source');
  const claims: RoleClaim[] = [
    [attacker, 'attacker'],
    ...[...sellers].map((wallet): RoleClaim => [wallet, 'unknown']),
    ...[...group.wallets].map((wallet): RoleClaim => [wallet, 'bundler']),
    ...backers,
    ...flow.route
      .filter(({ from }) => !involved.has(from))
      .map((payment) =>
        carrierClaim(mintCase, payment, !hasSource && group.wallets.has(payment.to)),
      ),
    ...findDestinations(mintCase, involved, sale.first.slot),
  ];
  const held = [...group.wallets].filter((wallet) => {
    const balanceRaw = mintCase.wallets.get(wallet)?.balanceRaw ?? 0n;
    return balanceRaw > 0n;
  });
  const labels = new Map<Address, string[]>([
    [creator, ['creator']],
    ...held.map((wallet): [Address, string[]] => [wallet, ['holds_tokens']]),
  ]);
  return involveWallets(mintCase, claims, labels);
}

function largestSeller(sales: Laundering['sale']['sales']): Address {
  const sold = new Map<Address, bigint>();
  for (const { wallet, baseRaw } of sales) sold.set(wallet, (sold.get(wallet) ?? 0n) + baseRaw);
  const [largest] = [...sold].sort(
    ([oneName, one], [otherName, other]) => Number(other - one) || (oneName < otherName ? -1 : 1),
  );
  if (largest === undefined) throw new Error('a sale without a seller');
  return largest[0];
}

function carrierClaim(mintCase: MintCase, { from }: CasePayment, paysBuyer: boolean): RoleClaim {
  const isShell = mintCase.wallets.get(from)?.isShell ?? false;
  return [from, paysBuyer && !isShell ? 'funding_source' : 'intermediary'];
}

function paymentMovement(mintCase: MintCase, payment: CasePayment): EvidenceMovement {
  const { slot, timeMs, txIndex, signature, from, to, lamports } = payment;
  const usd = lamportsToUsd(lamports, mintCase.market?.solUsd ?? null);
  return { slot, timeMs, txIndex, signature, wallets: [from, to], lamports, usd };
}

function supplyAfter(
  { mintCase, clusters, holdings }: LaunderingContext,
  { sellers, group, placed, sale }: Laundering,
) {
  const endSlot = Math.max(sale.last.slot, ...placed.map(({ buy }) => buy.slot));
  const after: ReadonlyMap<Address, RawAmount> = holdings.allBefore(endSlot + 1);
  const suspicious = new Set([...sellers, ...group.wallets]);
  return supplyEvidence({ mintCase, holdings: after, suspicious, clusters });
}

function hiddenText(
  { creator }: LaunderingContext,
  { group }: Laundering,
  strength: number,
): EvidenceDraft {
  return {
    type: 'common_funding',
    description:
      'No buyer was paid by the creator itself, though they are connected with the sale.',
    payload: relationEvidence({
      source: creator,
      related: group.wallets,
      relationship: 'indirect_funding',
      strength,
    }),
  };
}

function linkText({ clusters }: LaunderingContext, laundering: Laundering): EvidenceDraft {
  const { group, sellers, strangers } = laundering;
  const own = [...sellers, ...group.wallets].flatMap((wallet) => clusters.of(wallet) ?? []);
  const [cluster] = own;
  if (cluster === undefined) return burstText(strangers);
  const inside = [...group.wallets].filter((wallet) => clusters.of(wallet) === cluster);
  return {
    type: 'wallet_cluster',
    description: `${inside.length} of ${countText(group.members.length, 'buyer')} belong to one cluster of ${countText(cluster.members.length, 'wallet')}${[...sellers].some((wallet) => clusters.of(wallet) === cluster) ? ' with a seller' : ''}.`,
    payload: clusterEvidence(cluster),
  };
}

function burstText(strangers: ReadonlySet<Address>): EvidenceDraft {
  const [first] = [...strangers].sort(compareText);
  if (first === undefined) throw new Error('link evidence without a cluster');
  return {
    type: 'wallet_cluster',
    description: `${countText(strangers.size, 'buyer')} who had never bought before came in one burst with fresh money, after proceeds had been sent on.`,
    payload: relationEvidence({
      source: first,
      related: strangers,
      relationship: 'coordinated_trading',
      strength: FRESH_MONEY_STRENGTH,
    }),
  };
}
