import type { EvidencePayload, Relationship } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { EvidenceDraft } from '../evidence/gather-evidence.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { countText } from '../evidence/sentences.ts';
import type { Cluster } from '../links/clusters.ts';
import type { BundleGroup, BundleMember } from './bundle-group.ts';
import { findCommonFunders, findNearestPayers, originOf } from './funders.ts';
import type { RoleClaim } from './roles.ts';

/** Links created by a crew's trades of this mint: they must not serve as proof of the crew. */
export const TRADE_LINKS: readonly string[] = ['same-bundle', 'equal-size', 'synchronized-exit'];

/** Trades of some wallets, split by side, without round trips and arbitrage routes. */
export function tradesOf(
  mintCase: MintCase,
  isIncluded: (wallet: Address) => boolean,
): { readonly sales: readonly CaseTrade[]; readonly purchases: readonly CaseTrade[] } {
  const own = mintCase.trades.filter(
    (trade) => isIncluded(trade.wallet) && !trade.isRoundTrip && !trade.isArbitrage,
  );
  return {
    sales: own.filter(({ side }) => side === 'sell'),
    purchases: own.filter(({ side }) => side === 'buy'),
  };
}

/**
 * Claims for common funders of these wallets up to a time, the nearest and those behind them, and
 * for intermediaries.
 */
export function backerClaims(
  mintCase: MintCase,
  wallets: Iterable<Address>,
  untilMs: number,
): readonly RoleClaim[] {
  const times = new Map([...wallets].map((wallet) => [wallet, untilMs]));
  const common = findCommonFunders(mintCase, times).flatMap(({ funder, between }): RoleClaim[] => [
    [funder, 'funding_source'],
    ...between.map((wallet): RoleClaim => [wallet, 'intermediary']),
  ]);
  return [...common, ...nearestPayerClaims(mintCase, times)];
}

/** Claims for who directly paid several of these wallets, each up to its time. */
export function nearestPayerClaims(
  mintCase: MintCase,
  wallets: ReadonlyMap<Address, number>,
): readonly RoleClaim[] {
  return findNearestPayers(mintCase, wallets).map((payer) => [payer, 'funding_source']);
}

/** Claims for the origin of each wallet's money up to a time, and for intermediaries. */
export function originClaims(
  mintCase: MintCase,
  wallets: Iterable<Address>,
  untilMs: number,
): readonly RoleClaim[] {
  return [...wallets].flatMap((wallet): RoleClaim[] => {
    const origin = originOf(mintCase, wallet, untilMs);
    if (origin === null) return [];
    const between = origin.between.map((one): RoleClaim => [one, 'intermediary']);
    return [[origin.funder, 'funding_source'], ...between];
  });
}

/** Evidence of the relation between the wallets of a cluster. */
export function clusterEvidence(cluster: Cluster): EvidencePayload {
  return relationEvidence({
    source: cluster.root,
    related: cluster.members,
    relationship: relationshipOf(cluster),
    strength: cluster.strength,
  });
}

/**
 * Evidence of the fresh wallets of a group; `member` is the word for one of its wallets. A single
 * one is shown with the group it bought with.
 */
export function freshEvidence(
  fresh: readonly BundleMember[],
  { members, wallets: together }: BundleGroup,
  member: string,
): EvidenceDraft {
  const wallets = fresh.map(({ wallet }) => wallet);
  const [first] = wallets;
  if (first === undefined) throw new Error('fresh-wallet evidence without a wallet');
  return {
    type: 'similar_patterns',
    description: `${wallets.length} of ${countText(members.length, member)} were first seen less than 24 hours before they bought.`,
    payload: relationEvidence({
      source: first,
      related: wallets.length === 1 ? together : wallets,
      relationship: 'coordinated_trading',
      strength: wallets.length / members.length,
    }),
  };
}

/** Similar trading does not prove one owner; common money, fee payers and signatures do. */
export function relationshipOf({ edges }: Cluster): Relationship {
  const isTradingAlone = edges.every(
    ({ relationship }) =>
      relationship === 'coordinated_trading' || relationship === 'common_program',
  );
  return isTradingAlone ? 'coordinated_trading' : 'same_entity';
}
