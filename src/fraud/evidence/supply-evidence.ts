import type { EvidencePayload } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { Clusters } from '../links/clusters.ts';
import { shareOf } from '../readings/shares.ts';
import { isTrader } from '../readings/traders.ts';
import { gini } from './gini.ts';

const TOP_HOLDERS_MAX = 20;
/** Number of largest holders that the Gini coefficient is computed over (METHODS §7.2). */
const GINI_HOLDERS_MAX = 2_000;

export interface SupplyReading {
  readonly mintCase: MintCase;
  /** Holdings at the time of the evidence. */
  readonly holdings: ReadonlyMap<Address, RawAmount>;
  readonly suspicious: ReadonlySet<Address>;
  readonly clusters: Clusters;
}

/**
 * Distribution of the supply over wallets, without pools, lockers, burn addresses and exchanges.
 */
export function supplyEvidence(reading: SupplyReading): EvidencePayload {
  const { mintCase, holdings, suspicious, clusters } = reading;
  const holders = [...holdings]
    .filter(([wallet, held]) => held > 0n && isTrader(mintCase, wallet))
    .sort(byHolding);
  const suspiciousRaw = holders.reduce(
    (sum, [wallet, held]) => (suspicious.has(wallet) ? sum + held : sum),
    0n,
  );
  return {
    kind: 'supply_distribution',
    topHolders: holders.slice(0, TOP_HOLDERS_MAX).map(([wallet, held]) => ({
      wallet,
      share: shareOf(held, mintCase.supplyRaw),
      isSuspicious: suspicious.has(wallet),
    })),
    suspiciousShare: shareOf(suspiciousRaw, mintCase.supplyRaw),
    gini: gini(collapse(holders.slice(0, GINI_HOLDERS_MAX), clusters)),
  };
}

type Holding = readonly [wallet: Address, held: RawAmount];

function byHolding([oneWallet, one]: Holding, [otherWallet, other]: Holding): number {
  if (one !== other) return one > other ? -1 : 1;
  return oneWallet < otherWallet ? -1 : 1;
}

/** Holdings, with those of each cluster summed. */
function collapse(holders: readonly Holding[], clusters: Clusters): bigint[] {
  const byEntity = new Map<Address, bigint>();
  for (const [wallet, held] of holders) {
    const entity = clusters.of(wallet)?.root ?? wallet;
    byEntity.set(entity, (byEntity.get(entity) ?? 0n) + held);
  }
  return [...byEntity.values()];
}
