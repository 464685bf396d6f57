import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import { isPlainBuy } from '../groups/bundle-group.ts';
import { TRADE_LINKS, tradesOf } from '../groups/crew.ts';
import { FRESH_MONEY_STRENGTH, findFreshMoneyBursts } from '../groups/fresh-money.ts';
import type { Cluster, Clusters, Link } from '../links/clusters.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';
import { orderCase, within } from '../readings/case-order.ts';
import { createHoldings, type Holdings } from '../readings/holdings.ts';
import {
  fallOf,
  lowestFrom,
  type PriceSeen,
  priceBefore,
  vwapSol,
} from '../readings/price-readings.ts';
import { findSaleWindows, type SaleWindow } from '../readings/sale-windows.ts';
import { shareOf } from '../readings/shares.ts';
import { isTrader } from '../readings/traders.ts';
import type { Gates } from '../scoring/scoring-card.ts';

const MINUTE_MS = 60_000;

/** METHODS §7.6. */
export const DUMP_GATES = {
  saleWindowMs: {
    value: 10 * MINUTE_MS,
    reason: 'Slower selling is ordinary and causes no panic.',
  },
  heldMin: {
    value: 0.05,
    reason: 'A cluster that is not the creator’s must hold enough to move the price.',
  },
  soldSupplyMin: {
    value: 0.015,
    reason: 'A sale of this share of the supply is noticed by the market.',
  },
  soldHoldingMin: {
    value: 0.2,
    reason: 'A smaller group is noticed when it sells a fifth of its holdings.',
  },
  soldFloor: {
    value: 0.0025,
    reason: 'Smaller amounts are below the size that counts as a holding.',
  },
  dropMin: {
    value: 0.15,
    reason: 'The price of a young token often moves by less than a seventh.',
  },
  rebuyWindowMs: {
    value: 60 * MINUTE_MS,
    reason: 'Counted from the lowest price: later purchases have other reasons.',
  },
  rebuyMin: { value: 0.8, reason: 'Buying back much less means a real sale.' },
  otherHandsMin: {
    value: 0.5,
    reason:
      'Buying back with the same wallet conceals nothing: most must be bought by other ' +
      'wallets.',
  },
  buyBelow: { value: 0.95, reason: 'Without a gain beyond fees there is no motive.' },
  keptMin: {
    value: 0.95,
    reason: 'The group holds what it held before: in effect nothing was sold.',
  },
} as const satisfies Gates;

const PRICE_SPAN_MS = 5 * MINUTE_MS;
const TOP_HOLDERS = 10;

/** Features of a dump. */
export type DumpFeature =
  | 'drop'
  | 'rebuy'
  | 'discount'
  | 'link'
  | 'visible'
  | 'induced'
  | 'maker'
  | 'marketMove';

/** Data shared by all dumps of one mint. */
export interface DumpContext {
  readonly mintCase: MintCase;
  readonly clusters: Clusters;
  readonly holdings: Holdings;
}

/** A sale that moved the price, and the purchases that reversed it. */
export interface Dump {
  readonly cluster: Cluster;
  readonly sale: SaleWindow;
  readonly priceBeforeSol: number;
  readonly trough: PriceSeen;
  /** Purchases of the cluster, in block order. */
  readonly purchases: readonly CaseTrade[];
  readonly boughtRaw: bigint;
  readonly sellVwapSol: number;
  readonly buyVwapSol: number;
  /** Sellers that are the creator or were one of the ten largest holders, by address. */
  readonly visibleSellers: readonly Address[];
  /** Time of the last purchase. */
  readonly endMs: number;
}

export function toContext(reading: CaseReading): DumpContext {
  const mintCase = orderCase(reading.mintCase);
  return { mintCase, clusters: reading.clusters(TRADE_LINKS), holdings: createHoldings(mintCase) };
}

/**
 * Non-overlapping dumps of each cluster and of an unlinked creator, each cluster's largest first.
 */
export function findDumps(context: DumpContext): readonly Dump[] {
  const creator = context.mintCase.launch?.creator ?? null;
  const alone = creator === null || context.clusters.of(creator) !== null ? [] : [loner(creator)];
  return [...context.clusters.all, ...alone].flatMap((cluster) => dumpsOf(context, cluster));
}

function loner(wallet: Address): Cluster {
  return { root: wallet, members: [wallet], strength: 0, edges: [] };
}

function dumpsOf(context: DumpContext, cluster: Cluster): readonly Dump[] {
  const { mintCase, holdings } = context;
  const members = new Set(cluster.members);
  const { sales, purchases } = tradesOf(mintCase, (wallet) => members.has(wallet));
  const heldBefore = holdings.together(members);
  const isCreators = mintCase.launch?.creator != null && members.has(mintCase.launch.creator);
  const found: Dump[] = [];
  for (const sale of findSaleWindows(sales, purchases, DUMP_GATES.saleWindowMs.value)) {
    const heldRaw = heldBefore(sale.first.slot);
    const isLarge = shareOf(heldRaw, mintCase.supplyRaw) >= DUMP_GATES.heldMin.value;
    if (!(isCreators || isLarge) || !isEnough(mintCase, sale, heldRaw)) continue;
    if (found.some((other) => overlaps(other, sale))) continue;
    const dump = followDump(context, { cluster, sale, sales, purchases, heldBefore });
    if (dump !== null) found.push(dump);
  }
  return found;
}

function overlaps({ sale, endMs }: Dump, { first, last }: SaleWindow): boolean {
  return first.timeMs <= endMs && last.timeMs >= sale.first.timeMs;
}

function isEnough({ supplyRaw }: MintCase, { soldRaw }: SaleWindow, heldRaw: bigint): boolean {
  const share = shareOf(soldRaw, supplyRaw);
  if (share < DUMP_GATES.soldFloor.value) return false;
  return (
    share >= DUMP_GATES.soldSupplyMin.value ||
    shareOf(soldRaw, heldRaw) >= DUMP_GATES.soldHoldingMin.value
  );
}

interface Candidate {
  readonly cluster: Cluster;
  readonly sale: SaleWindow;
  /** All sales of the cluster, and all its purchases. */
  readonly sales: readonly CaseTrade[];
  readonly purchases: readonly CaseTrade[];
  readonly heldBefore: (slot: number) => bigint;
}

/** The dump that follows from a sale, if the price fell and the cluster bought back cheaper. */
function followDump(context: DumpContext, candidate: Candidate): Dump | null {
  const { decimals, trades } = context.mintCase;
  const { first } = candidate.sale;
  const priceBeforeSol = priceBefore(trades, first, { spanMs: PRICE_SPAN_MS, decimals });
  const trough = lowestFrom(trades, first, first.timeMs + DUMP_GATES.saleWindowMs.value);
  if (priceBeforeSol === null || trough === null) return null;
  if (fallOf(priceBeforeSol, trough.priceSol) < DUMP_GATES.dropMin.value) return null;
  const own = purchasesBack(candidate, trough.trade);
  return (
    toDump(context, candidate, { priceBeforeSol, trough, own }) ??
    withFreshMoney(context, candidate, { priceBeforeSol, trough, own })
  );
}

interface Fall {
  readonly priceBeforeSol: number;
  readonly trough: PriceSeen;
  /** Purchases that bought back, in block order. */
  readonly own: readonly CaseTrade[];
}

/** Combines a fall and its buy-back into a dump; null unless every gate is passed. */
function toDump(context: DumpContext, candidate: Candidate, fall: Fall): Dump | null {
  const { decimals } = context.mintCase;
  const { cluster, sale, heldBefore } = candidate;
  const { priceBeforeSol, trough, own } = fall;
  const { first, sales, soldRaw } = sale;
  const sellers = new Set(sales.map(({ wallet }) => wallet));
  const boughtRaw = amountOf(own);
  const byOthersRaw = amountOf(own.filter(({ wallet }) => !sellers.has(wallet)));
  const end = own.at(-1);
  if (end === undefined || shareOf(boughtRaw, soldRaw) < DUMP_GATES.rebuyMin.value) return null;
  if (shareOf(byOthersRaw, boughtRaw) < DUMP_GATES.otherHandsMin.value) return null;
  const [sellVwapSol, buyVwapSol] = [vwapSol(sales, decimals), vwapSol(own, decimals)];
  if (sellVwapSol === null || buyVwapSol === null) return null;
  if (buyVwapSol > DUMP_GATES.buyBelow.value * sellVwapSol) return null;
  const kept = shareOf(heldBefore(end.slot + 1), heldBefore(first.slot));
  if (kept < DUMP_GATES.keptMin.value) return null;
  return {
    ...{ cluster, sale, priceBeforeSol, trough, boughtRaw, sellVwapSol, buyVwapSol },
    purchases: own,
    visibleSellers: visibleSellers(context, sellers, first.slot),
    endMs: end.timeMs,
  };
}

/**
 * Same as toDump, for a sale by the creator, including wallets that bought in one burst with fresh
 * money: money that goes through exchanges leaves no other trace. Each of them is linked to the
 * creator with the strength of an exchange batch.
 */
function withFreshMoney(context: DumpContext, candidate: Candidate, fall: Fall): Dump | null {
  const { mintCase, holdings } = context;
  const { cluster, sale } = candidate;
  const creator = mintCase.launch?.creator ?? null;
  if (creator === null || !sale.sales.some(({ wallet }) => wallet === creator)) return null;
  const untilMs = fall.trough.trade.timeMs + DUMP_GATES.rebuyWindowMs.value;
  const members = new Set(cluster.members);
  const from = buyBackFrom(sale, fall.trough.trade);
  const buys = within(mintCase.trades, from.timeMs, untilMs).filter(
    (trade) => isPlainBuy(trade) && byChainOrder(trade, from) > 0,
  );
  const bursts = findFreshMoneyBursts({
    ...{ mintCase, buys },
    paidFromMs: Number.NEGATIVE_INFINITY,
  });
  const burst = bursts.flat().filter(({ wallet }) => !members.has(wallet));
  if (burst.length === 0) return null;
  const edges = burst.map(
    ({ wallet }): Link => ({
      ...{ one: creator, other: wallet, family: 'fresh-money', via: null },
      ...{ strength: FRESH_MONEY_STRENGTH, relationship: 'coordinated_trading' },
    }),
  );
  const joined = joinCluster(cluster, edges);
  const own = [...fall.own, ...burst].sort(byChainOrder);
  const heldBefore = holdings.together(joined.members);
  return toDump(context, { ...candidate, cluster: joined, heldBefore }, { ...fall, own });
}

/** Adds links to a cluster. It keeps its root, and thereby its findings keep their ids. */
function joinCluster({ root, members, edges }: Cluster, more: readonly Link[]): Cluster {
  const all = [...edges, ...more];
  const together = [...new Set([...members, ...more.map(({ other }) => other)])].sort(compareText);
  const strength = all.reduce((sum, edge) => sum + edge.strength, 0) / all.length;
  return { root, members: together, strength, edges: all };
}

/**
 * Purchases of the cluster after the lowest price or its last sale, whichever came first, until it
 * sells again after having bought back enough: that sale starts a new pattern.
 */
function purchasesBack(
  { sale, sales, purchases }: Candidate,
  lowest: CaseTrade,
): readonly CaseTrade[] {
  const from = buyBackFrom(sale, lowest);
  const untilMs = lowest.timeMs + DUMP_GATES.rebuyWindowMs.value;
  const own = purchases.filter(
    (purchase) => byChainOrder(purchase, from) > 0 && purchase.timeMs <= untilMs,
  );
  let boughtRaw = 0n;
  const enough = own.find(({ baseRaw }) => {
    boughtRaw += baseRaw;
    return shareOf(boughtRaw, sale.soldRaw) >= DUMP_GATES.rebuyMin.value;
  });
  const next = sales.find(
    (one) =>
      enough !== undefined && byChainOrder(one, enough) > 0 && byChainOrder(one, sale.last) > 0,
  );
  return next === undefined ? own : own.filter((purchase) => byChainOrder(purchase, next) < 0);
}

/** The lowest price or the last sale, whichever came first. */
function buyBackFrom({ last }: SaleWindow, lowest: CaseTrade): CaseTrade {
  return byChainOrder(lowest, last) < 0 ? lowest : last;
}

function amountOf(trades: readonly CaseTrade[]): bigint {
  return trades.reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
}

function visibleSellers(
  { mintCase, holdings }: DumpContext,
  sellers: ReadonlySet<Address>,
  slot: number,
): readonly Address[] {
  const largest = [...holdings.allBefore(slot)]
    .filter(([wallet]) => isTrader(mintCase, wallet))
    .sort(
      ([oneName, one], [otherName, other]) =>
        Number(other - one) || compareText(oneName, otherName),
    )
    .slice(0, TOP_HOLDERS)
    .map(([wallet]) => wallet);
  const visible = new Set([...largest, mintCase.launch?.creator]);
  return [...sellers].filter((wallet) => visible.has(wallet)).sort(compareText);
}
