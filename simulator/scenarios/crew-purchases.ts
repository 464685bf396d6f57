import type { Address } from '../../src/model/units.ts';
import type { Placement } from '../market/order.ts';
import type { Random } from '../random/random.ts';
import type { Market } from '../venues/market.ts';
import { paymentFor } from './amounts.ts';
import type { Crew } from './crew.ts';
import {
  heldOf,
  type Purchase,
  partOf,
  purchaseGroups,
  saleOrder,
  TRADE_COST_LAMPORTS,
} from './orders.ts';
import { pause, type Script, together } from './script.ts';
import { land, landGroups, type Outcome, type PlainOrder } from './sending.ts';

/** Approximate length of a slot, for waits given in slots. */
export const SLOT_MS = 400;

/** Priority of a crew's orders, above that of other traders. */
export const CREW_PRIORITY = 5_000_000;

/** Splits an amount into parts that vary by up to `jitter`. */
export function splitUnevenly(
  random: Random,
  amount: bigint,
  count: number,
  jitter: number,
): bigint[] {
  const weights = Array.from({ length: count }, () => 1 + random.between(-jitter, jitter));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => partOf(amount, weight / sum));
}

/** The lamports a wallet can spend on a trade. */
export function spendable({ context }: Crew, wallet: Address): bigint {
  const lamports = context.world.chain.ledger.get(wallet).lamports - TRADE_COST_LAMPORTS;
  return lamports > 0n ? lamports : 0n;
}

/**
 * Consecutive purchases of `tokens` in total at current prices, as far as each wallet's money
 * suffices.
 */
export function purchasesNow(
  crew: Crew,
  market: Market,
  wallets: readonly Address[],
  tokensRaw: bigint,
): Purchase[] {
  const { world, random } = crew.context;
  const parts = splitUnevenly(random, tokensRaw, wallets.length, crew.knobs.sizeJitter);
  const purchases: Purchase[] = [];
  let boughtRaw = 0n;
  let paid = 0n;
  wallets.forEach((trader, index) => {
    boughtRaw += parts[index] ?? 0n;
    const total = paymentFor(world.chain.ledger, market, boughtRaw) ?? paid;
    const limit = spendable(crew, trader);
    let lamports = total - paid;
    paid = total;
    if (lamports > limit) lamports = limit;
    if (lamports > 0n) purchases.push({ trader, market, lamports, priority: CREW_PRIORITY });
  });
  return purchases;
}

/** Sends purchases in the crew's style, with groups spread over the slots given by the knobs. */
export function* buyTogether(
  crew: Crew,
  purchases: readonly Purchase[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const groups = purchaseGroups(crew.context, purchases, crew.knobs.tipStyle);
  return yield* landSpread(crew, groups, placement);
}

/** Sends groups over the slots given by the knobs, the first immediately. */
export function* landSpread(
  crew: Crew,
  groups: readonly (readonly PlainOrder[])[],
  placement?: Placement,
): Script<readonly Outcome[]> {
  const { world } = crew.context;
  const { slotSpread } = crew.knobs;
  const outcomes: Outcome[] = [];
  yield* together(
    groups.map(function* (group, index) {
      const slots = Math.floor((index * (slotSpread + 1)) / groups.length);
      if (slots > 0) yield* pause(world, slots * SLOT_MS);
      outcomes.push(...(yield* landGroups(world, [group], slots > 0 ? undefined : placement)));
    }),
  );
  return outcomes;
}

/** A few wallets take some profit, long after each other: not an exit of the crew. */
export function* takeSomeGains(crew: Crew, wallets: readonly Address[], mint: Address): Script {
  const { context } = crew;
  const { world, random } = context;
  const sellers = wallets.filter(() => random.chance(0.3));
  yield* together(
    sellers.map(function* (trader) {
      yield* pause(world, random.between(20_000, 240_000));
      const market = world.openMarketOf(mint);
      if (market === null || heldOf(context, trader, mint) === 0n) return;
      const share = random.between(0.15, 0.45);
      yield* land(world, saleOrder(context, { trader, market, share }));
    }),
  );
}
