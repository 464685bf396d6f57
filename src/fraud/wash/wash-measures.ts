import { ATOMIC_LEVELS } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { type Address, asUsdNano, type UsdNano } from '../../model/units.ts';
import type { BundleGroup } from '../groups/bundle-group.ts';
import { findFunding, type GroupFunding } from '../groups/group-funding.ts';
import { within } from '../readings/case-order.ts';
import { volumeOf } from '../readings/matched-trades.ts';
import { findPaymentLoops, type PaymentLoop } from '../readings/payment-loops.ts';
import { shareOf, variationOf } from '../readings/shares.ts';
import { lamportsToUsd } from '../readings/value-at-risk.ts';
import { ramp } from '../scoring/score.ts';
import { costShare, isMakerByRounds } from './ring-rounds.ts';
import { paidAlike } from './service-money.ts';
import { usdOf, WASH_GATES, type WashContext, type WashRing } from './wash-ring.ts';

const BPS = 10_000;
/** Washing costs the fees of both sides, and what others gain from it (METHODS §7.8, f3). */
const FEES_MAX = 3;
const LOSS_BEYOND_FEES_MAX = 0.005;
/** Minimum number of intervals between purchases to measure regularity. */
const INTERVALS_MIN = 5;
/** Variation of intervals: of a program at most `even`, of independent events `chance`. */
const VARIATION = { even: 0.3, chance: 1 } as const;
/** Amounts entered by people are multiples of 0.01 SOL. */
const ROUND_LAMPORTS = 10_000_000n;
/** A stock that changes by more than this part of the tokens traded is a position. */
const SWING_MAX = 0.2;
/** Minimum part of the payments into a loop that returns. */
const RETURNED_MIN = 0.8;
/** Value of a maker that provides liquidity without other signs. */
const PROVIDER_ALONE = 0.5;

/**
 * Part of the matched rounds that cost what washing costs: about the fees, without a gain. 0 when a
 * maker's part of them was won. Null without rounds or a known fee.
 */
export function uneconomicShare({ mintCase }: WashContext, { rounds }: WashRing): number | null {
  if (mintCase.market === null) return null;
  if (isMakerByRounds(rounds)) return 0;
  const feeShare = mintCase.market.feeBps / BPS;
  return costShare(rounds, FEES_MAX * feeShare + LOSS_BEYOND_FEES_MAX);
}

/** Weight of volume that only money from services in the same minutes and amounts connects. */
const SERVICE_MONEY_WEIGHT = 0.5;

/** The part of a single wallet's rounds that cost the fees: of a speculator's, and of a washer's. */
const LONE_COST_RAMP = [0.7, 0.95] as const;

/** What shows that a ring has one owner. */
export interface RingFunding extends GroupFunding {
  /** Wallets that only money from services connects with the others, by address. */
  readonly paidAlike: readonly Address[];
}

/**
 * The funding of the ring's wallets, each weighted by its volume. One wallet alone is one hand, as
 * far as its rounds were no speculation. Money from services in the same minutes and amounts counts
 * half.
 */
export function ringFunding(context: WashContext, ring: WashRing): RingFunding {
  const { mintCase, clusters } = context;
  const sinceMs = new Map<Address, number>();
  const members = ring.wallets.map((wallet) => {
    const own = ring.matched.trades.filter((trade) => trade.wallet === wallet);
    const firstMs = own[0]?.timeMs ?? mintCase.timeMs;
    sinceMs.set(wallet, firstMs);
    return { wallet, level: null, acquiredRaw: volumeOf(own), sinceMs: firstMs };
  });
  const group: BundleGroup = {
    members,
    wallets: new Set(ring.wallets),
    buys: ring.matched.trades,
    acquiredRaw: volumeOf(ring.matched.trades),
  };
  const funding = findFunding(mintCase, group, clusters);
  if (members.length === 1) {
    const share = ramp(uneconomicShare(context, ring) ?? 0, ...LONE_COST_RAMP);
    return { ...funding, share, paidAlike: [] };
  }
  const [backing] = funding.backings;
  const backed = new Set(backing?.members.map(({ wallet }) => wallet));
  const alike = paidAlike(mintCase, sinceMs);
  const further = members.filter(({ wallet }) => alike.has(wallet) && !backed.has(wallet));
  const furtherRaw = further.reduce((sum, { acquiredRaw }) => sum + acquiredRaw, 0n);
  const share = funding.share + SERVICE_MONEY_WEIGHT * shareOf(furtherRaw, group.acquiredRaw);
  return { ...funding, share, paidAlike: further.map(({ wallet }) => wallet).sort() };
}

/**
 * How much purchases look like those of a program: the mean of the evenness of intervals and the
 * part of non-round sizes. Null for too few purchases.
 */
export function regularityOf({ matched }: WashRing): number | null {
  const purchases = matched.trades.filter(({ side }) => side === 'buy');
  const waits = purchases.slice(1).map(({ timeMs }, index) => {
    const before = purchases[index]?.timeMs ?? timeMs;
    return BigInt(Math.round(timeMs - before));
  });
  if (waits.length < INTERVALS_MIN) return null;
  const variation = variationOf(waits);
  const evenness = (VARIATION.chance - variation) / (VARIATION.chance - VARIATION.even);
  const odd = purchases.filter(({ lamports }) => lamports % ROUND_LAMPORTS !== 0n);
  return (Math.min(1, Math.max(0, evenness)) + odd.length / purchases.length) / 2;
}

/** Matched trades that must have one owner: both sides in one transaction or bundle. */
export function atomicTrades({ matched }: WashRing): readonly CaseTrade[] {
  const bought = bundleKeysOf(matched.trades, 'buy');
  const sold = bundleKeysOf(matched.trades, 'sell');
  return matched.trades.filter((trade) => {
    const key = bundleKeyOf(trade);
    return trade.isRoundTrip || (bought.has(key) && sold.has(key));
  });
}

function bundleKeysOf(trades: readonly CaseTrade[], of: CaseTrade['side']): ReadonlySet<string> {
  return new Set(trades.filter(({ side }) => side === of).map(bundleKeyOf));
}

/** Identifies the bundle of a trade, or its transaction. */
function bundleKeyOf({ signature, slot, group }: CaseTrade): string {
  const isBundled = group !== null && ATOMIC_LEVELS.has(group.level);
  return isBundled ? `${slot} ${group.id}` : signature;
}

/** The payment loop among the ring with the highest return; null unless it returns enough. */
export function ringLoop({ mintCase }: WashContext, ring: WashRing): PaymentLoop | null {
  const wallets = new Set<Address>(ring.cluster?.members ?? ring.wallets);
  const fromMs = mintCase.timeMs - WASH_GATES.dayMs.value + 1;
  const payments = within(mintCase.payments, fromMs, mintCase.timeMs);
  const [best] = findPaymentLoops(mintCase, wallets, payments);
  return best !== undefined && best.returned >= RETURNED_MIN ? best : null;
}

/** Part of the matched volume that is a leg of a route over several pools. */
export function arbitrageShare({ matched }: WashRing): number {
  const legs = matched.trades.filter(({ isArbitrage }) => isArbitrage);
  return shareOf(volumeOf(legs), volumeOf(matched.trades));
}

/**
 * 1 for rounds won as a maker wins them, a position or a known market maker; PROVIDER_ALONE for
 * liquidity alone; else 0.
 */
export function makerSign({ mintCase }: WashContext, ring: WashRing): number {
  const { wallets, cycles, rounds } = ring;
  const isKnown = wallets.some((wallet) => mintCase.wallets.get(wallet)?.class === 'market_maker');
  if (isKnown || isMakerByRounds(rounds) || cycles.swing > SWING_MAX) return 1;
  const own = new Set(wallets);
  const provides = mintCase.liquidity.some(({ provider }) => own.has(provider));
  return provides ? PROVIDER_ALONE : 0;
}

/**
 * Dollars that organic wallets paid between the first and the last matched trade for tokens they
 * still hold, limited to what the pool can return. Null when a price is unknown.
 */
export function washValueAtRisk({ mintCase, day }: WashContext, ring: WashRing): UsdNano | null {
  const [first] = ring.matched.trades;
  const last = ring.matched.trades.at(-1);
  const { market } = mintCase;
  if (first === undefined || last === undefined || market === null) return null;
  const own = new Set(ring.cluster?.members ?? ring.wallets);
  const purchases = within(day, first.timeMs, last.timeMs).filter(
    ({ wallet, side }) =>
      side === 'buy' && !own.has(wallet) && (mintCase.wallets.get(wallet)?.isOrganic ?? false),
  );
  let usd = 0;
  for (const [wallet, bought] of Map.groupBy(purchases, (trade) => trade.wallet)) {
    const boughtRaw = bought.reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
    const heldRaw = mintCase.wallets.get(wallet)?.balanceRaw ?? 0n;
    const cost = usdOf(mintCase, bought);
    if (cost === null) return null;
    usd += cost * Math.min(1, shareOf(heldRaw, boughtRaw));
  }
  const takeable = lamportsToUsd(market.withdrawableLamports, market.solUsd);
  const paid = BigInt(Math.round(usd * 1e9));
  if (takeable === null) return null;
  return asUsdNano(paid < takeable ? paid : takeable);
}
