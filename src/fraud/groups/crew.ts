import type { EvidencePayload, Relationship } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import type { Cluster } from '../links/clusters.ts';
import { findCommonFunders, originOf } from './funders.ts';
import type { RoleClaim } from './roles.ts';

/** Links that come of what a crew does with this mint, and must not prove that it is one. */
export const TRADE_LINKS: readonly string[] = ['same-bundle', 'equal-size', 'synchronized-exit'];

/** Trades of some wallets, apart by side; there-and-back and legs of larger routes are left out. */
export function tradesOf(
  mintCase: MintCase,
  isMeant: (wallet: Address) => boolean,
): { readonly sales: readonly CaseTrade[]; readonly purchases: readonly CaseTrade[] } {
  const own = mintCase.trades.filter(
    (trade) => isMeant(trade.wallet) && !trade.isRoundTrip && !trade.isArbitrage,
  );
  return {
    sales: own.filter(({ side }) => side === 'sell'),
    purchases: own.filter(({ side }) => side === 'buy'),
  };
}

/** Who paid several of these wallets up to a time, and who passed it on. */
export function backerClaims(
  mintCase: MintCase,
  wallets: Iterable<Address>,
  untilMs: number,
): readonly RoleClaim[] {
  const times = new Map([...wallets].map((wallet) => [wallet, untilMs]));
  return findCommonFunders(mintCase, times).flatMap(({ funder, between }): RoleClaim[] => [
    [funder, 'funding_source'],
    ...between.map((wallet): RoleClaim => [wallet, 'intermediary']),
  ]);
}

/** Who stands behind the money of each of these, and who passed it on. */
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

/** How the wallets of a cluster belong together. */
export function clusterEvidence(cluster: Cluster): EvidencePayload {
  return relationEvidence({
    source: cluster.root,
    related: cluster.members,
    relationship: relationshipOf(cluster),
    strength: cluster.strength,
  });
}

/** Who trades alike may still be several; money, payers and signatures are one hand's. */
export function relationshipOf({ edges }: Cluster): Relationship {
  const isTradingAlone = edges.every(
    ({ relationship }) =>
      relationship === 'coordinated_trading' || relationship === 'common_program',
  );
  return isTradingAlone ? 'coordinated_trading' : 'same_entity';
}
