import { poissonSurvivalLog10 } from '../../lib/tail-probability.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { within } from '../readings/case-order.ts';
import { shareOf, variationOf } from '../readings/shares.ts';
import type { BundleGroup } from './bundle-group.ts';

/** Duration of a slot. */
const SLOT_MS = 400;
/** Time constant of the usual number of buyers (METHODS §7.4). */
const USUAL_MS = 5 * 60_000;
/** Lower bound of the usual number of buyers per slot. */
const USUAL_BUYERS_MIN = 0.05;
/** Time before and after a burst that counts as around it. */
const AROUND_MS = 60_000;
/** Sizes with less variation than this were computed by one program. */
const VARIATION_MAX = 0.1;
/** Sizes entered by people are multiples of 0.01 SOL. */
const ROUND_LAMPORTS = 10_000_000n;

/** Slots and times of the first and last buy of a group. */
export interface BurstSpan {
  readonly firstSlot: number;
  readonly lastSlot: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export function spanOf({ buys }: BundleGroup): BurstSpan {
  const [first] = buys;
  const last = buys.at(-1);
  if (first === undefined || last === undefined) throw new Error('a burst without a buy');
  return {
    firstSlot: first.slot,
    lastSlot: last.slot,
    firstMs: first.timeMs,
    lastMs: last.timeMs,
  };
}

/** −log10 of the probability of at least this many buyers in these slots, at the usual rate. */
export function burstiness(buyers: number, usualBuyersPerSlot: number, slots: number): number {
  return -poissonSurvivalLog10(buyers, usualBuyersPerSlot * slots);
}

/**
 * Distinct buyers per slot before a burst, with exponential decay: Σ n·e^(−age/5 min) divided by
 * the same sum for one buyer in every slot since the launch.
 */
export function usualBuyersPerSlot(mintCase: MintCase, span: BurstSpan): number {
  const sinceMs = mintCase.launch?.timeMs ?? span.firstMs;
  const seen = new Set<string>();
  let weighted = 0;
  for (const { side, slot, timeMs, wallet } of mintCase.trades) {
    if (side === 'sell' || slot >= span.firstSlot || seen.has(`${slot} ${wallet}`)) continue;
    seen.add(`${slot} ${wallet}`);
    weighted += Math.exp((timeMs - span.firstMs) / USUAL_MS);
  }
  const always = (USUAL_MS / SLOT_MS) * -Math.expm1((sinceMs - span.firstMs) / USUAL_MS);
  return always > 0 ? Math.max(USUAL_BUYERS_MIN, weighted / always) : USUAL_BUYERS_MIN;
}

/** Organic buys before a burst by wallets outside of its group. */
export function organicBefore(
  mintCase: MintCase,
  group: BundleGroup,
  span: BurstSpan,
): { readonly buys: number; readonly wallets: number } {
  const buys = mintCase.trades.filter(
    (trade) => trade.slot < span.firstSlot && isOrganicBuy(mintCase, group, trade),
  );
  return { buys: buys.length, wallets: new Set(buys.map(({ wallet }) => wallet)).size };
}

/** Organic buyers in the minute after a burst, per member of its group. */
export function followersPerMember(
  mintCase: MintCase,
  group: BundleGroup,
  span: BurstSpan,
): number {
  const followers = new Set<Address>();
  for (const trade of within(mintCase.trades, span.lastMs, span.lastMs + AROUND_MS)) {
    if (trade.slot > span.lastSlot && isOrganicBuy(mintCase, group, trade)) {
      followers.add(trade.wallet);
    }
  }
  return followers.size / group.members.length;
}

/** A group's part of the buy volume from a minute before its burst to a minute after, 0 to 1. */
export function volumeShare(mintCase: MintCase, group: BundleGroup, span: BurstSpan): number {
  const around = within(mintCase.trades, span.firstMs - AROUND_MS, span.lastMs + AROUND_MS);
  return shareOf(sumLamports(group.buys), sumLamports(around.filter(({ side }) => side === 'buy')));
}

/** Part of the members whose spending is not a round number; 0 unless all sizes are similar. */
export function alikeSizesShare({ buys, members }: BundleGroup): number {
  const sizes = [...Map.groupBy(buys, ({ wallet }) => wallet).values()].map(sumLamports);
  if (sizes.length === 0 || variationOf(sizes) >= VARIATION_MAX) return 0;
  return sizes.filter((size) => size % ROUND_LAMPORTS !== 0n).length / members.length;
}

function isOrganicBuy(
  mintCase: MintCase,
  group: BundleGroup,
  { side, wallet }: CaseTrade,
): boolean {
  if (side === 'sell' || group.wallets.has(wallet)) return false;
  return mintCase.wallets.get(wallet)?.isOrganic ?? false;
}

function sumLamports(trades: readonly CaseTrade[]): bigint {
  return trades.reduce((sum, { lamports }) => sum + lamports, 0n);
}
