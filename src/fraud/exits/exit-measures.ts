import type { CaseLiquidity, CaseTransfer } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { compareText } from '../readings/block-order.ts';
import { within } from '../readings/case-order.ts';
import { surpriseOf, type WatchedHolder } from '../readings/matched-control.ts';
import { shareOf } from '../readings/shares.ts';
import { isTrader } from '../readings/traders.ts';
import { type CrewExit, type ExitContext, reserveBefore } from './exit-window.ts';

/** Tokens that reach a seller within this time before its sale count as sent to be sold. */
const FORWARD_MS = 10 * 60_000;
/** Minimum number of wallets that send their tokens to one seller. */
const FORWARDERS_MIN = 3;
/** Liquidity withdrawn within this time before or after an exit belongs to it. */
const LIQUIDITY_MS = 10 * 60_000;

/** A member that sells tokens that other members of the cluster sent to it. */
export interface Funnel {
  readonly seller: Address;
  /** In block order. */
  readonly transfers: readonly CaseTransfer[];
}

/**
 * Sellers of an exit that at least three other members sent tokens to shortly before; by address.
 */
export function findFunnels(
  { mintCase }: ExitContext,
  { cluster, steps }: CrewExit,
): readonly Funnel[] {
  const members = new Set(cluster.members);
  const sold = new Map<Address, { firstMs: number; lastMs: number }>();
  for (const { wallet, trade, timeMs } of steps) {
    if (trade?.side !== 'sell') continue;
    sold.set(wallet, { firstMs: sold.get(wallet)?.firstMs ?? timeMs, lastMs: timeMs });
  }
  const funnels = [...sold].map(([seller, { firstMs, lastMs }]) => ({
    seller,
    transfers: within(mintCase.transfers, firstMs - FORWARD_MS, lastMs).filter(
      ({ from, to }) => to === seller && from !== seller && members.has(from),
    ),
  }));
  return funnels
    .filter(({ transfers }) => new Set(transfers.map(({ from }) => from)).size >= FORWARDERS_MIN)
    .sort((one, other) => compareText(one.seller, other.seller));
}

/**
 * Members whose tokens came to a seller of the exit before its end, directly or through other
 * members; by address. Fresh wallets often sell what others bought.
 */
export function findForwarders(
  { mintCase }: ExitContext,
  { cluster, steps, endMs }: CrewExit,
): readonly Address[] {
  const members = new Set(cluster.members);
  const moved = within(mintCase.transfers, 0, endMs).filter(
    ({ from, to }) => from !== to && members.has(from) && members.has(to),
  );
  const reached = new Set(
    steps.flatMap(({ trade, wallet }) => (trade?.side === 'sell' ? wallet : [])),
  );
  const forwarders = new Set<Address>();
  // Backwards in time: what a wallet got after it passed tokens on did not reach a seller through it.
  for (const { from, to } of moved.toReversed()) {
    if (!reached.has(to)) continue;
    if (!reached.has(from)) forwarders.add(from);
    reached.add(from);
  }
  return [...forwarders].sort(compareText);
}

/**
 * −log10 of the probability that so many members sold for the first time within the exit, at the
 * rate of holders of similar size outside of the cluster. Sending tokens to a selling member counts
 * as selling.
 */
export function exitSurprise({ mintCase, holdings }: ExitContext, exit: CrewExit): number | null {
  const { cluster, first, endMs, steps } = exit;
  const members = new Set(cluster.members);
  const sellers = new Set(
    steps.flatMap(({ trade }) => (trade?.side === 'sell' ? trade.wallet : [])),
  );
  const firstSaleMs = new Map<Address, number>();
  for (const { wallet, side, timeMs } of mintCase.trades) {
    if (side === 'sell' && !firstSaleMs.has(wallet)) firstSaleMs.set(wallet, timeMs);
  }
  const forwarded = new Set(
    within(mintCase.transfers, first.timeMs, endMs)
      .filter(({ from, to }) => members.has(from) && sellers.has(to))
      .map(({ from }) => from),
  );
  const watched: WatchedHolder[] = [];
  for (const [wallet, heldRaw] of holdings.allBefore(first.slot)) {
    const soldMs = firstSaleMs.get(wallet) ?? Number.POSITIVE_INFINITY;
    if (soldMs < first.timeMs || !isTrader(mintCase, wallet)) continue;
    watched.push({ wallet, heldRaw, did: soldMs <= endMs || forwarded.has(wallet) });
  }
  return surpriseOf(
    watched.filter(({ wallet }) => members.has(wallet)),
    watched.filter(({ wallet }) => !members.has(wallet)),
  );
}

/** Largest part of a pool's quote that members withdrew as liquidity around the exit. */
export function liquidityRemoved(
  { mintCase }: Pick<ExitContext, 'mintCase'>,
  exit: CrewExit,
): number {
  const removals = removalsOf({ mintCase }, exit);
  const parts = [...Map.groupBy(removals, ({ pool }) => pool)].map(([pool, ofPool]) => {
    const [first] = ofPool;
    const reserve = first === undefined ? null : reserveBefore(mintCase, first, pool);
    const removed = ofPool.reduce((sum, { lamports }) => sum - lamports, 0n);
    return reserve === null ? 0 : shareOf(removed, reserve);
  });
  return Math.max(0, ...parts);
}

/** Removals of liquidity that belong to an exit, in block order. */
export function removalsOf(
  { mintCase }: Pick<ExitContext, 'mintCase'>,
  exit: CrewExit,
): readonly CaseLiquidity[] {
  const members = new Set(exit.cluster.members);
  return within(
    mintCase.liquidity,
    exit.first.timeMs - LIQUIDITY_MS,
    exit.endMs + LIQUIDITY_MS,
  ).filter(({ provider, lamports }) => members.has(provider) && lamports < 0n);
}
