import { ATOMIC_LEVELS } from '../../model/derived.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import {
  type BundleGroup,
  isPlainBuy,
  type PlacedBuy,
  placedBuys,
  toGroup,
} from '../groups/bundle-group.ts';
import { TRADE_LINKS, tradesOf } from '../groups/crew.ts';
import { findFreshMoneyBursts } from '../groups/fresh-money.ts';
import { findLinkedCohorts } from '../groups/linked-cohorts.ts';
import { type Clusters, LINKED_MIN } from '../links/clusters.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';
import { orderCase, within } from '../readings/case-order.ts';
import { createHoldings, type Holdings } from '../readings/holdings.ts';
import { paymentsBetween } from '../readings/payments-from.ts';
import { followProceeds, type ProceedsFlow } from '../readings/proceeds-flow.ts';
import { findSaleWindows, type SaleWindow } from '../readings/sale-windows.ts';
import { shareOf } from '../readings/shares.ts';
import { isTrader } from '../readings/traders.ts';
import type { Gates } from '../scoring/scoring-card.ts';

const MINUTE_MS = 60_000;

/** METHODS §7.5. */
export const LAUNDERING_GATES = {
  saleWindowMs: {
    value: 10 * MINUTE_MS,
    reason: 'A sale meant to be noticed is short; slower selling is ordinary.',
  },
  soldSupplyMin: {
    value: 0.03,
    reason: 'A sale of this share of the supply is noticed by the market.',
  },
  soldHoldingMin: {
    value: 0.2,
    reason: 'A smaller insider is noticed when it sells a fifth of its holdings.',
  },
  soldFloor: {
    value: 0.0025,
    reason: 'Smaller amounts are below the size that counts as a holding.',
  },
  rebuyWindowMs: {
    value: 30 * MINUTE_MS,
    reason:
      'Proceeds pass a few wallets before they are spent; later purchases have other ' + 'reasons.',
  },
  rebuyMin: { value: 0.5, reason: 'A purchase of less than half means that most was really sold.' },
  sentOnMin: {
    value: 0.2,
    reason:
      'Share of the proceeds paid out before freshly funded wallets buy back in one burst: ' +
      'the minimum that counts as a flow.',
  },
  lossMax: {
    value: 0.3,
    reason:
      'Sellers and buyers together must keep most of what was sold; otherwise it was a real ' +
      'sale.',
  },
} as const satisfies Gates;

/**
 * Slots of a burst of linked buyers whose transactions have separate tips (METHODS §7.4, §7.8b).
 */
const BURST_SLOTS = 10;
/** The link family of wallets paid together by one exchange. */
const EXCHANGE_LINK = 'exchange-batch';
const TOP_HOLDERS = 10;

/** Features of a laundering. */
export type LaunderingFeature =
  | 'rebuy'
  | 'flow'
  | 'atomicity'
  | 'delay'
  | 'artificial'
  | 'hidden'
  | 'fresh'
  | 'link'
  | 'quickProfit';

/** Data shared by all sales of one mint. */
export interface LaunderingContext {
  readonly mintCase: MintCase;
  readonly creator: Address;
  readonly clusters: Clusters;
  readonly holdings: Holdings;
}

/** A sale and its buy-back. */
export interface Laundering {
  readonly sale: SaleWindow;
  readonly sellers: ReadonlySet<Address>;
  readonly placed: readonly PlacedBuy[];
  readonly group: BundleGroup;
  readonly boughtRaw: bigint;
  readonly flow: ProceedsFlow;
  /** Buyers that are linked to the sale only by a burst of fresh money. */
  readonly strangers: ReadonlySet<Address>;
  /** Time of the last buy. */
  readonly endMs: number;
}

export function toContext(reading: CaseReading): LaunderingContext | null {
  const mintCase = orderCase(reading.mintCase);
  const creator = mintCase.launch?.creator ?? null;
  if (creator === null) return null;
  const clusters = reading.clusters(TRADE_LINKS);
  return { mintCase, creator, clusters, holdings: createHoldings(mintCase) };
}

/** The launderings of a mint; of overlapping sales, the largest that was bought back. */
export function findLaunderings(context: LaunderingContext): readonly Laundering[] {
  const { mintCase } = context;
  const insiders = visibleInsiders(context);
  const { sales, purchases } = tradesOf(mintCase, (wallet) => insiders.has(wallet));
  const found: Laundering[] = [];
  for (const sale of findSaleWindows(sales, purchases, LAUNDERING_GATES.saleWindowMs.value)) {
    if (!isVisibleSale(context, insiders, sale)) continue;
    if (found.some((other) => isWithinSame(other, sale))) continue;
    const laundering = followSale(context, sale);
    if (laundering !== null) found.push(laundering);
  }
  return found;
}

function isWithinSame({ sale, endMs }: Laundering, { first, last }: SaleWindow): boolean {
  return first.timeMs <= endMs && last.timeMs >= sale.first.timeMs;
}

/**
 * The creator, buyers in one bundle with it, wallets linked to it and large holders of its cluster.
 */
function visibleInsiders({ mintCase, creator, clusters }: LaunderingContext): ReadonlySet<Address> {
  const insiders = new Set<Address>([creator]);
  const groupOf = ({ slot, group }: CaseTrade): string | null =>
    group === null ? null : `${slot} ${group.id}`;
  const own = new Set(
    mintCase.trades.filter(({ wallet, side }) => wallet === creator && side === 'buy').map(groupOf),
  );
  for (const trade of mintCase.trades) {
    const { side, group } = trade;
    const isMate = side === 'buy' && group !== null && ATOMIC_LEVELS.has(group.level);
    if (isMate && own.has(groupOf(trade))) insiders.add(trade.wallet);
  }
  // Lazy: most creators are linked to no wallet, or to all of their cluster.
  let top: ReadonlySet<Address> | null = null;
  for (const wallet of clusters.of(creator)?.members ?? []) {
    const isLinked = clusters.strength(creator, wallet) >= LINKED_MIN;
    if (!isLinked) top ??= topHolders(mintCase);
    if (isLinked || top?.has(wallet)) insiders.add(wallet);
  }
  return insiders;
}

/** The largest holders by known holdings: current balance plus amounts sold. */
function topHolders(mintCase: MintCase): ReadonlySet<Address> {
  const sold = new Map<Address, bigint>();
  for (const { wallet, side, baseRaw } of mintCase.trades) {
    if (side === 'sell') sold.set(wallet, (sold.get(wallet) ?? 0n) + baseRaw);
  }
  const had = [...mintCase.wallets.values()]
    .filter(({ address }) => isTrader(mintCase, address))
    .map(({ address, balanceRaw }) => ({ address, raw: balanceRaw + (sold.get(address) ?? 0n) }))
    .filter(({ raw }) => raw > 0n)
    .sort((one, other) => Number(other.raw - one.raw) || compareText(one.address, other.address));
  return new Set(had.slice(0, TOP_HOLDERS).map(({ address }) => address));
}

function isVisibleSale(
  { mintCase, holdings }: LaunderingContext,
  insiders: ReadonlySet<Address>,
  { first, soldRaw }: SaleWindow,
): boolean {
  const share = shareOf(soldRaw, mintCase.supplyRaw);
  const held = shareOf(soldRaw, holdings.together(insiders)(first.slot));
  if (share < LAUNDERING_GATES.soldFloor.value) return false;
  return (
    share >= LAUNDERING_GATES.soldSupplyMin.value || held >= LAUNDERING_GATES.soldHoldingMin.value
  );
}

/** The buy-back of a sale; null unless enough was bought back and kept. */
function followSale(context: LaunderingContext, sale: SaleWindow): Laundering | null {
  const { mintCase, clusters, holdings } = context;
  const { first, last, soldRaw } = sale;
  const sellers = new Set(sale.sales.map(({ wallet }) => wallet));
  const untilMs = last.timeMs + LAUNDERING_GATES.rebuyWindowMs.value;
  const trades = within(mintCase.trades, first.timeMs, untilMs);
  const buys = trades.filter((trade) => isPlainBuy(trade) && !sellers.has(trade.wallet));
  // Upper bound: the purchases of all buyers together.
  if (!isBoughtBack(sumOf(buys), soldRaw)) return null;
  const flow = followProceeds(mintCase, sale.sales, untilMs);
  const paid = new Set(buys.filter((buy) => flow.spentOn(buy) > 0n).map(({ wallet }) => wallet));
  const cohorts = findLinkedCohorts(buys, clusters, BURST_SLOTS);
  const all = placedBuys(mintCase, { buys, cohorts, clusters });
  const batched = exchangeBatch(context, all, first.timeMs);
  const connected = all.filter(
    ({ buy: { wallet } }) =>
      paid.has(wallet) || batched.has(wallet) || isLinkedTo(clusters, wallet, sellers),
  );
  const known = new Set(connected.map(({ buy }) => buy.wallet));
  const washed = withFreshMoney({ mintCase, sale, sellers, buys, known });
  const placed = [...connected, ...washed.map((buy): PlacedBuy => ({ buy, level: 'L3' }))];
  const boughtRaw = amountOf(placed);
  if (!isBoughtBack(boughtRaw, soldRaw)) return null;
  const endMs = Math.max(last.timeMs, ...placed.map(({ buy }) => buy.timeMs));
  const endSlot = Math.max(last.slot, ...placed.map(({ buy }) => buy.slot));
  const group = toGroup(placed, [], within(trades, first.timeMs, endMs));
  const heldBy = holdings.together([...sellers, ...group.wallets]);
  const lossRaw = heldBy(first.slot) - heldBy(endSlot + 1);
  if (shareOf(lossRaw, soldRaw) > LAUNDERING_GATES.lossMax.value) return null;
  const strangers = new Set(washed.map(({ wallet }) => wallet));
  return { sale, sellers, placed, group, boughtRaw, flow, strangers, endMs };
}

interface FreshMoneyRead {
  readonly mintCase: MintCase;
  readonly sale: SaleWindow;
  readonly sellers: ReadonlySet<Address>;
  readonly buys: readonly CaseTrade[];
  /** Buyers that are connected with the sellers otherwise. */
  readonly known: ReadonlySet<Address>;
}

/** Buys in bursts of fresh money, after enough of the sale's proceeds was sent on. */
function withFreshMoney({
  mintCase,
  sale: { sales, first, last },
  sellers,
  buys,
  known,
}: FreshMoneyRead): readonly CaseTrade[] {
  const wantedPercent = BigInt(Math.round(100 * LAUNDERING_GATES.sentOnMin.value));
  const soldFor = sales.reduce((sum, { lamports }) => sum + lamports, 0n);
  const untilMs = last.timeMs + LAUNDERING_GATES.rebuyWindowMs.value;
  let sent = 0n;
  const enough = paymentsBetween(mintCase, sellers, first.timeMs, untilMs).find(
    ({ to, lamports }) => {
      if (!sellers.has(to)) sent += lamports;
      return sent > 0n && sent * 100n >= soldFor * wantedPercent;
    },
  );
  if (enough === undefined) return [];
  const after = buys.filter((buy) => byChainOrder(buy, enough) > 0);
  const paidFromMs = enough.timeMs;
  return findFreshMoneyBursts({ mintCase, buys: after, paidFromMs, known }).flat();
}

/** Counts each buy once: a buy may be in a bundle and in a cohort. */
function amountOf(placed: readonly PlacedBuy[]): bigint {
  return sumOf(new Set(placed.map(({ buy }) => buy)));
}

function sumOf(buys: Iterable<CaseTrade>): bigint {
  let sumRaw = 0n;
  for (const { baseRaw } of buys) sumRaw += baseRaw;
  return sumRaw;
}

function isBoughtBack(boughtRaw: bigint, soldRaw: bigint): boolean {
  return shareOf(boughtRaw, soldRaw) >= LAUNDERING_GATES.rebuyMin.value;
}

/** Whether the cluster of a wallet contains one of the sellers. */
export function isLinkedTo(
  clusters: Clusters,
  wallet: Address,
  sellers: ReadonlySet<Address>,
): boolean {
  const cluster = clusters.of(wallet);
  return cluster?.members.some((member) => sellers.has(member)) ?? false;
}

/** Buyers paid by an exchange in one batch after the start of the sale. */
function exchangeBatch(
  { mintCase, clusters }: LaunderingContext,
  placed: readonly PlacedBuy[],
  sinceMs: number,
): ReadonlySet<Address> {
  const wallets = [...new Set(placed.map(({ buy }) => buy.wallet))].filter((wallet) => {
    const paidMs = mintCase.wallets.get(wallet)?.firstFunding?.sinceMs ?? null;
    return paidMs !== null && paidMs >= sinceMs;
  });
  const isBatched = (one: Address, other: Address): boolean =>
    one !== other && clusters.linksOf(one, other).some(({ family }) => family === EXCHANGE_LINK);
  return new Set(wallets.filter((one) => wallets.some((other) => isBatched(one, other))));
}
