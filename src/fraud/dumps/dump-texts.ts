import type { InvolvedWallet } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import type { EvidenceTexts } from '../evidence/gather-evidence.ts';
import { countText, percentText } from '../evidence/sentences.ts';
import { supplyEvidence } from '../evidence/supply-evidence.ts';
import { timingEvidence } from '../evidence/timing-evidence.ts';
import { tradeMovement, transactionEvidence } from '../evidence/transaction-evidence.ts';
import { backerClaims, clusterEvidence, originClaims } from '../groups/crew.ts';
import { findDestinations, involveWallets, type RoleClaim } from '../groups/roles.ts';
import { compareText } from '../readings/block-order.ts';
import type { Measures } from '../scoring/score.ts';
import type { Dump, DumpContext, DumpFeature } from './dump.ts';

/** Evidence texts of a dump and its buy-back, by feature. */
export function dumpTexts(
  { mintCase, clusters, holdings }: DumpContext,
  dump: Dump,
  measures: Measures<DumpFeature>,
): EvidenceTexts {
  const { cluster, sale, purchases, trough, visibleSellers } = dump;
  const part = (name: DumpFeature): string => percentText(measures[name] ?? 0);
  const minutes = ((dump.endMs - sale.first.timeMs) / 60_000).toFixed(1);
  const events = [...sale.sales, trough.trade, ...purchases];
  return {
    drafts: {
      drop: () => ({
        type: 'price_manipulation',
        description: `The price fell by ${part('drop')} from the mean of the five minutes before the sale.`,
        payload: timingEvidence([...sale.sales, trough.trade], 'sell_drop_rebuy'),
      }),
      rebuy: () => ({
        type: 'volume_manipulation',
        description: `${part('rebuy')} of what was sold was bought back within ${minutes} minutes.`,
        payload: transactionEvidence([...sale.sales, ...purchases].map(tradeMovement), false),
      }),
      discount: () => ({
        type: 'price_manipulation',
        description: `It was bought back ${part('discount')} cheaper than it was sold, weighted by volume.`,
        payload: timingEvidence(events, 'sell_drop_rebuy'),
      }),
      link: () => ({
        type: 'wallet_cluster',
        description: `Sellers and buyers belong to one cluster of ${countText(cluster.members.length, 'wallet')}.`,
        payload: clusterEvidence(cluster),
      }),
      visible: () => ({
        type: 'supply_concentration',
        description: `${countText(visibleSellers.length, 'seller')} ${visibleSellers.length === 1 ? 'was' : 'were'} the creator or among the ten largest holders.`,
        payload: supplyEvidence({
          mintCase,
          holdings: holdings.allBefore(sale.first.slot),
          suspicious: new Set(cluster.members),
          clusters,
        }),
      }),
      induced: () => ({
        type: 'suspicious_timing',
        description: `Meanwhile others sold ${part('induced')} of what they held, net of purchases.`,
        payload: timingEvidence(events, 'sell_drop_rebuy'),
      }),
    },
    reductions: {
      maker: () => 'many purchases and sales in turn on the same day that won nothing',
      marketMove: () => 'a fall of SOL in the same time',
    },
  };
}

/** The attacker is the creator if it sold, else the largest seller; other buyers are bundlers. */
export function assignDumpRoles({ mintCase }: DumpContext, dump: Dump): InvolvedWallet[] {
  const { cluster, sale, purchases, endMs } = dump;
  const creator = mintCase.launch?.creator ?? null;
  const sold = new Map<Address, bigint>();
  for (const { wallet, baseRaw } of sale.sales) {
    sold.set(wallet, (sold.get(wallet) ?? 0n) + baseRaw);
  }
  const [largest] = [...sold].sort(
    ([oneName, one], [otherName, other]) => Number(other - one) || compareText(oneName, otherName),
  );
  const attacker = creator !== null && sold.has(creator) ? creator : largest?.[0];
  const buyers = purchases.map(({ wallet }) => wallet);
  const involved = new Set([...sold.keys(), ...buyers]);
  const claims: RoleClaim[] = [
    ...(attacker === undefined ? [] : [[attacker, 'attacker'] as const]),
    ...[...sold.keys()].map((wallet): RoleClaim => [wallet, 'unknown']),
    ...buyers.map((wallet): RoleClaim => [wallet, 'bundler']),
    ...backerClaims(mintCase, involved, endMs),
    ...originClaims(mintCase, involved, endMs),
    ...findDestinations(mintCase, new Set(cluster.members), sale.first.slot),
  ];
  const labels = creator === null ? [] : [[creator, ['creator']] as const];
  return involveWallets(mintCase, claims, new Map(labels));
}
