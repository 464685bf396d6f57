import type { CasePayment, MintCase, TransactionRef } from '../../model/mint-case.ts';
import { byChainOrder, byTradeOrder, compareText } from './block-order.ts';

/** Cache: every detector reads the same case. */
const orderedOf = new WeakMap<MintCase, MintCase>();

/**
 * The case with every list in block order, and a fixed order within transactions: results of
 * detectors do not depend on the order of the lists.
 */
export function orderCase(mintCase: MintCase): MintCase {
  const known = orderedOf.get(mintCase);
  if (known !== undefined) return known;
  const found = orderLists(mintCase);
  orderedOf.set(mintCase, found);
  orderedOf.set(found, found);
  return found;
}

function orderLists(mintCase: MintCase): MintCase {
  const { mint, decimals, supplyRaw, slot, timeMs, launch, market } = mintCase;
  const { locks, wallets, coTrades, paymentsFrom } = mintCase;
  let payments: readonly CasePayment[] | null = null;
  return {
    mint,
    decimals,
    supplyRaw,
    slot,
    timeMs,
    launch,
    market,
    locks,
    wallets,
    coTrades,
    trades: ordered(mintCase.trades, byTradeOrder),
    transfers: ordered(
      mintCase.transfers,
      (one, other) =>
        byChainOrder(one, other) || byParties(one, other, one.amountRaw - other.amountRaw),
    ),
    liquidity: ordered(
      mintCase.liquidity,
      (one, other) =>
        byChainOrder(one, other) ||
        compareText(one.provider, other.provider) ||
        compareText(one.pool, other.pool) ||
        Number(one.lamports - other.lamports),
    ),
    // Read on access: a view follows payments then, and most cases never need them.
    get payments() {
      payments ??= ordered(mintCase.payments, byPaymentOrder);
      return payments;
    },
    get isFundingKnown() {
      return mintCase.isFundingKnown;
    },
    ...(paymentsFrom === undefined
      ? {}
      : {
          paymentsFrom: (payer, sinceMs) => ordered(paymentsFrom(payer, sinceMs), byPaymentOrder),
        }),
  };
}

function byPaymentOrder(one: CasePayment, other: CasePayment): number {
  return byChainOrder(one, other) || byParties(one, other, one.lamports - other.lamports);
}

/** The part of a list in block order with times from `fromMs` up to and including `toMs`. */
export function within<Thing extends TransactionRef>(
  things: readonly Thing[],
  fromMs: number,
  toMs: number,
): readonly Thing[] {
  return things.slice(countBefore(things, fromMs), countBefore(things, toMs + 1));
}

/** Number of items in a list in block order that are before this time. */
export function countBefore(things: readonly TransactionRef[], timeMs: number): number {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((things[middle]?.timeMs ?? Number.POSITIVE_INFINITY) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Parties {
  readonly from: string;
  readonly to: string;
}

function byParties(one: Parties, other: Parties, amounts: bigint): number {
  return compareText(one.from, other.from) || compareText(one.to, other.to) || Number(amounts);
}

/** Returns the list itself if it is in order, as most are. */
function ordered<Thing extends TransactionRef>(
  things: readonly Thing[],
  compare: (one: Thing, other: Thing) => number,
): readonly Thing[] {
  let before: Thing | null = null;
  for (const thing of things) {
    // Most items are in separate transactions and need no comparison of signatures.
    const isAfter = before !== null && isEarlier(before, thing);
    if (before !== null && !isAfter && compare(before, thing) > 0) return things.toSorted(compare);
    before = thing;
  }
  return things;
}

function isEarlier(one: TransactionRef, other: TransactionRef): boolean {
  return one.slot < other.slot || (one.slot === other.slot && one.txIndex < other.txIndex);
}
