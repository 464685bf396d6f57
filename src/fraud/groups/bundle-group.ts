import type { BundleLevel } from '../../model/derived.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Clusters } from '../links/clusters.ts';
import { compareText } from '../readings/block-order.ts';
import { shareOf } from '../readings/shares.ts';
import { isIndependentSniper } from './independent-snipers.ts';
import type { LinkedCohort } from './linked-cohorts.ts';

/**
 * Certainty, by level, that buys were placed by one owner (METHODS §7.3). L2o, which §7.3 leaves
 * out, has its lower certainty of §3, as L2 has its own.
 */
export const ATOMICITY: Readonly<Record<BundleLevel, number>> = {
  L1: 1,
  L2: 0.9,
  L2o: 0.8,
  L3: 0.5,
  exact: 1,
};

/**
 * Links created by a bundle itself: they must not serve as its proof (METHODS §7.1, no
 * circularity).
 */
export const OWN_LINKS: readonly string[] = ['same-bundle', 'equal-size'];
/**
 * Links that do not show funding: one transaction has one payer and joint signers, and similar
 * trading does not mean a common source of money.
 */
export const NO_FUNDING_LINKS: readonly string[] = [
  ...OWN_LINKS,
  'fee-payer',
  'cosigned',
  'co-trades',
  'private-program',
  'synchronized-exit',
  'token-chains',
];

/** A wallet younger than this at its purchase is fresh. */
const FRESH_MS = 24 * 3_600_000;

export interface BundleMember {
  readonly wallet: Address;
  /** The most certain level of its buys; null for a creator that bought without being placed. */
  readonly level: BundleLevel | null;
  /** Amount bought minus amount sold within the pattern, not below 0. */
  readonly acquiredRaw: bigint;
  /** Time of its first buy in the pattern. */
  readonly sinceMs: number;
}

/** Wallets that bought together. */
export interface BundleGroup {
  /** By address. */
  readonly members: readonly BundleMember[];
  readonly wallets: ReadonlySet<Address>;
  /** Their buys in the pattern, in block order. */
  readonly buys: readonly CaseTrade[];
  readonly acquiredRaw: bigint;
}

/** A buy that was placed with others. */
export interface PlacedBuy {
  readonly buy: CaseTrade;
  readonly level: BundleLevel;
}

/**
 * The buys that were placed together by a level of METHODS §3. Independent snipers are left out
 * unless they bought in one transaction with others; a buyer that is then alone in its group is
 * left out too.
 */
export function placedBuys(mintCase: MintCase, { buys, cohorts, clusters }: BuysRead): PlacedBuy[] {
  const placed: PlacedBuy[] = cohorts.flatMap((cohort) =>
    cohort.buys.map((buy) => ({ buy, level: 'L3' as const })),
  );
  const groups = Map.groupBy(
    buys.filter(({ group }) => group !== null),
    ({ slot, group }) => `${slot} ${group?.id}`,
  );
  for (const group of groups.values()) {
    const together = group.flatMap((buy): PlacedBuy[] => {
      const level = buy.group?.level;
      if (level === undefined) return [];
      const isOut = level !== 'L1' && isIndependentSniper(mintCase, buy.wallet, clusters);
      return isOut ? [] : [{ buy, level }];
    });
    if (new Set(together.map(({ buy }) => buy.wallet)).size > 1) placed.push(...together);
  }
  return placed;
}

export interface BuysRead {
  readonly buys: readonly CaseTrade[];
  readonly cohorts: readonly LinkedCohort[];
  readonly clusters: Clusters;
}

/** Whether a trade is a buy that is neither part of a round trip nor of an arbitrage route. */
export function isPlainBuy({ side, isRoundTrip, isArbitrage }: CaseTrade): boolean {
  return side === 'buy' && !isRoundTrip && !isArbitrage;
}

/**
 * Creates the group of these buys. `alone` are buys of wallets that belong to the group without
 * being placed; `trades` are all trades that count for the acquired amounts, in block order.
 */
export function toGroup(
  placed: readonly PlacedBuy[],
  alone: readonly CaseTrade[],
  trades: readonly CaseTrade[],
): BundleGroup {
  const levels = new Map<Address, BundleLevel | null>(alone.map(({ wallet }) => [wallet, null]));
  for (const { buy, level } of placed) {
    const known = levels.get(buy.wallet) ?? null;
    if (known === null || ATOMICITY[level] > ATOMICITY[known]) levels.set(buy.wallet, level);
  }
  const buys = trades.filter((trade) => levels.has(trade.wallet) && isPlainBuy(trade));
  const sinceMs = new Map(buys.toReversed().map(({ wallet, timeMs }) => [wallet, timeMs]));
  const acquired = new Map<Address, bigint>();
  for (const { wallet, side, baseRaw } of trades) {
    if (!levels.has(wallet)) continue;
    acquired.set(wallet, (acquired.get(wallet) ?? 0n) + (side === 'buy' ? baseRaw : -baseRaw));
  }
  const members = [...levels].map(([wallet, level]) => {
    const netRaw = acquired.get(wallet) ?? 0n;
    return {
      wallet,
      level,
      acquiredRaw: netRaw > 0n ? netRaw : 0n,
      sinceMs: sinceMs.get(wallet) ?? Number.POSITIVE_INFINITY,
    };
  });
  return {
    members: members.sort((one, other) => compareText(one.wallet, other.wallet)),
    wallets: new Set(levels.keys()),
    buys,
    acquiredRaw: members.reduce((sum, { acquiredRaw }) => sum + acquiredRaw, 0n),
  };
}

/** Mean atomicity of the placed members, weighted by acquired tokens. */
export function atomicityOf({ members }: BundleGroup): number {
  const placed = members.flatMap(({ level, acquiredRaw }) =>
    level === null ? [] : [{ atomicity: ATOMICITY[level], acquiredRaw }],
  );
  const totalRaw = placed.reduce((sum, { acquiredRaw }) => sum + acquiredRaw, 0n);
  return placed.reduce(
    (sum, { atomicity, acquiredRaw }) => sum + atomicity * shareOf(acquiredRaw, totalRaw),
    0,
  );
}

/** Members first seen less than a day before they bought, without those of unknown age. */
export function freshMembers(mintCase: MintCase, { members }: BundleGroup): BundleMember[] {
  return members.filter(({ wallet, sinceMs }) => {
    const firstSeenMs = mintCase.wallets.get(wallet)?.firstSeenMs ?? null;
    return firstSeenMs !== null && sinceMs - firstSeenMs < FRESH_MS;
  });
}

/** Fewer wallets in two bundles are a coincidence, as two simultaneous ones are. */
const TOGETHER_MIN = 3;

/** Wallets with earlier bundled launches. */
export interface PriorBundles {
  readonly wallet: Address;
  /** How many; 0 for none. */
  readonly count: number;
  /** The members that bought in them together; empty for those of the creator or the funder. */
  readonly together: readonly Address[];
}

/**
 * Earlier launches in whose bundles at least three members bought; null without any. By address.
 */
export function priorBundlesTogether(
  mintCase: MintCase,
  { members }: BundleGroup,
): PriorBundles | null {
  const byMint = new Map<Address, Address[]>();
  for (const { wallet } of members) {
    for (const mint of mintCase.wallets.get(wallet)?.bundledMints ?? []) {
      byMint.set(mint, [...(byMint.get(mint) ?? []), wallet]);
    }
  }
  const shared = [...byMint.values()].filter(({ length }) => length >= TOGETHER_MIN);
  const together = [...new Set(shared.flat())].sort(compareText);
  const [wallet] = together;
  return wallet === undefined ? null : { wallet, count: shared.length, together };
}

/** The wallet with the most earlier bundled launches, and their number; null without wallets. */
export function priorBundlesOf(
  mintCase: MintCase,
  wallets: readonly (Address | null)[],
): PriorBundles | null {
  const known = wallets.flatMap((wallet) =>
    wallet === null
      ? []
      : [{ wallet, count: mintCase.wallets.get(wallet)?.priorBundles ?? 0, together: [] }],
  );
  const [most = null] = known.sort((one, other) => other.count - one.count);
  return most;
}

export function countTransactions(trades: readonly CaseTrade[]): number {
  return new Set(trades.map(({ signature }) => signature)).size;
}

/** Default root of a group: its smallest address. */
export function rootOf({ members }: BundleGroup): Address {
  const [first] = members;
  if (first === undefined) throw new Error('a group without members');
  return first.wallet;
}
