import type { CaseReading } from '../../../fraud/contract/detector.ts';
import type { Clusters } from '../../../fraud/links/clusters.ts';
import type { Finding, FraudType } from '../../../model/fraud.ts';
import type { CaseWallet, MintCase } from '../../../model/mint-case.ts';
import type { Address } from '../../../model/units.ts';

/** What the features of a case are read from. Valid as long as the case is. */
export interface JudgedCase {
  readonly mintCase: MintCase;
  /** From all link families. */
  readonly clusters: () => Clusters;
  readonly totals: () => CaseTotals;
  /** The groups that passed the gates of a detector, strongest first. */
  readonly groupsOf: (type: FraudType) => readonly Finding[];
}

/** Sums over the trades of a case. Amounts in lamports. */
export interface CaseTotals {
  readonly buys: number;
  readonly sells: number;
  readonly bundledBuys: number;
  readonly bought: bigint;
  readonly sold: bigint;
  readonly creatorBought: bigint;
  readonly creatorSold: bigint;
  /** Wallets that traded. */
  readonly traders: number;
  readonly organicTraders: number;
  /** Those whose first recorded transaction was less than a day before their first trade. */
  readonly freshTraders: number;
  /** Lamports taken out of pools as liquidity. */
  readonly liquidityOut: bigint;
}

/** A wallet is fresh for a day, as for the detectors. */
const FRESH_MS = 24 * 3_600_000;

/** `groups` are what the detectors found in the same case, each type strongest first. */
export function judgedCase(
  { mintCase, clusters }: CaseReading,
  groups: readonly Finding[],
): JudgedCase {
  const byType = Map.groupBy(groups, ({ fraudType }) => fraudType);
  let totals: CaseTotals | null = null;
  return {
    mintCase,
    clusters: () => clusters(),
    totals: () => {
      totals ??= totalsOf(mintCase);
      return totals;
    },
    groupsOf: (type) => byType.get(type) ?? [],
  };
}

function totalsOf(mintCase: MintCase): CaseTotals {
  const { liquidity } = mintCase;
  const liquidityOut = liquidity.reduce(
    (sum, { lamports }) => (lamports < 0n ? sum - lamports : sum),
    0n,
  );
  return { ...tradeSums(mintCase), ...traderCounts(mintCase), liquidityOut };
}

function tradeSums({ trades, launch }: MintCase) {
  const creator = launch?.creator ?? null;
  const sums = {
    ...{ buys: 0, sells: 0, bundledBuys: 0, bought: 0n, sold: 0n },
    ...{ creatorBought: 0n, creatorSold: 0n },
  };
  for (const { side, lamports, wallet, group } of trades) {
    const ofCreator = wallet === creator ? lamports : 0n;
    if (side === 'buy') {
      sums.buys++;
      sums.bought += lamports;
      sums.creatorBought += ofCreator;
      if (group !== null) sums.bundledBuys++;
    } else {
      sums.sells++;
      sums.sold += lamports;
      sums.creatorSold += ofCreator;
    }
  }
  return sums;
}

function traderCounts({ trades, wallets }: MintCase) {
  const firstMs = new Map<Address, number>();
  for (const { wallet, timeMs } of trades) {
    if (!firstMs.has(wallet)) firstMs.set(wallet, timeMs);
  }
  const counts = { traders: firstMs.size, organicTraders: 0, freshTraders: 0 };
  for (const [wallet, timeMs] of firstMs) {
    const known = wallets.get(wallet);
    if (known?.isOrganic === true) counts.organicTraders++;
    if (isFresh(known, timeMs)) counts.freshTraders++;
  }
  return counts;
}

/** Whether the first recorded transaction was less than a day before; false if it is unknown. */
export function isFresh(wallet: CaseWallet | undefined, tradeMs: number): boolean {
  const firstSeenMs = wallet?.firstSeenMs ?? null;
  return firstSeenMs !== null && tradeMs - firstSeenMs < FRESH_MS;
}
