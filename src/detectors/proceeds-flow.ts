import type { CasePayment, CaseTrade, MintCase } from '../model/mint-case.ts';
import type { Address } from '../model/units.ts';
import { byPlace, compareText } from './block-order.ts';
import { within } from './case-order.ts';
import { isTrader } from './traders.ts';

/** Payments that proceeds are followed over; what a shell passes on is not counted (METHODS §7.5). */
export const PROCEEDS_HOPS_MAX = 3;

/** Where the SOL of some sales went. */
export interface ProceedsFlow {
  /** Lamports of a purchase that come from the sales; 0 for other trades. */
  readonly spentOn: (trade: CaseTrade) => bigint;
  /** Payments that proceeds took to somebody who bought with them, in block order. */
  readonly route: readonly CasePayment[];
}

/** Lamports of one origin, in the order in which a wallet spends them. */
interface Lot {
  lamports: bigint;
  /** Payments since the sale; null for what does not come from one. */
  readonly hops: number | null;
}

interface Step {
  readonly payment: CasePayment | null;
  readonly trade: CaseTrade | null;
}

/**
 * Follows the proceeds of sales, first in first out, from the first of them until a time. What a
 * wallet had before is unknown and taken to be spent last. Whatever goes to an exchange, a hub or
 * another shared account is lost from sight. Lists in block order.
 */
export function followProceeds(
  mintCase: MintCase,
  sales: readonly CaseTrade[],
  untilMs: number,
): ProceedsFlow {
  const [first] = sales;
  const purses = new Purses(mintCase, new Set(sales));
  if (first !== undefined) {
    for (const { payment, trade } of stepsFrom(mintCase, first, untilMs)) {
      if (payment !== null) purses.pay(payment);
      else if (trade !== null) purses.trade(trade);
    }
  }
  const { carried, spent } = purses;
  return { spentOn: (trade) => spent.get(trade) ?? 0n, route: routeToBuyers(carried, spent) };
}

/** Of one transaction sales come first, then payments, then purchases. */
function stepsFrom(mintCase: MintCase, first: CaseTrade, untilMs: number): readonly Step[] {
  const trades = within(mintCase.trades, first.timeMs, untilMs).map((trade) => ({
    place: trade,
    rank: trade.side === 'sell' ? 0 : 2,
    step: { payment: null, trade },
  }));
  const payments = within(mintCase.payments, first.timeMs, untilMs).map((payment) => ({
    place: payment,
    rank: 1,
    step: { payment, trade: null },
  }));
  return [...trades, ...payments]
    .filter(({ place }) => byPlace(place, first) >= 0)
    .toSorted((one, other) => byPlace(one.place, other.place) || one.rank - other.rank)
    .map(({ step }) => step);
}

class Purses {
  /** Payments with proceeds in them, in block order. */
  readonly carried: CasePayment[] = [];
  /** Purchases with the proceeds in them. */
  readonly spent = new Map<CaseTrade, bigint>();
  private readonly mintCase: MintCase;
  private readonly sales: ReadonlySet<CaseTrade>;
  private readonly lots = new Map<Address, Lot[]>();

  constructor(mintCase: MintCase, sales: ReadonlySet<CaseTrade>) {
    this.mintCase = mintCase;
    this.sales = sales;
  }

  trade(trade: CaseTrade): void {
    if (trade.side === 'sell') {
      const hops = this.sales.has(trade) ? 0 : null;
      this.put(trade.wallet, { lamports: trade.lamports, hops });
      return;
    }
    const proceeds = this.take(trade.wallet, trade.lamports)
      .filter(({ hops }) => hops !== null)
      .reduce((sum, lot) => sum + lot.lamports, 0n);
    if (proceeds > 0n) this.spent.set(trade, proceeds);
  }

  pay(payment: CasePayment): void {
    const taken = this.take(payment.from, payment.lamports);
    if (!isTrader(this.mintCase, payment.to)) return;
    const isShell = this.mintCase.wallets.get(payment.from)?.isShell ?? false;
    const moved = taken.map(({ lamports, hops }) => ({
      lamports,
      hops: hopsAfter(hops, isShell),
    }));
    if (moved.some(({ hops }) => hops !== null)) this.carried.push(payment);
    for (const lot of moved) this.put(payment.to, lot);
  }

  private put(wallet: Address, lot: Lot): void {
    const lots = this.lots.get(wallet) ?? [];
    const last = lots.at(-1);
    if (last?.hops === lot.hops) last.lamports += lot.lamports;
    else if (lot.lamports > 0n) lots.push({ ...lot });
    this.lots.set(wallet, lots);
  }

  /** What is there of an amount; the rest of it is older than the sales. */
  private take(wallet: Address, lamports: bigint): readonly Lot[] {
    const lots = this.lots.get(wallet) ?? [];
    const taken: Lot[] = [];
    let missing = lamports;
    let used = 0;
    for (const lot of lots) {
      if (missing === 0n) break;
      const isEnough = lot.lamports > missing;
      const part = isEnough ? missing : lot.lamports;
      taken.push({ lamports: part, hops: lot.hops });
      lot.lamports -= part;
      missing -= part;
      if (lot.lamports === 0n) used++;
    }
    lots.splice(0, used);
    if (missing > 0n) taken.push({ lamports: missing, hops: null });
    return taken;
  }
}

function hopsAfter(hops: number | null, isShell: boolean): number | null {
  if (hops === null) return null;
  const after = isShell ? hops : hops + 1;
  return after > PROCEEDS_HOPS_MAX ? null : after;
}

/** Of all payments those from which buyers got what they spent, found backwards from the buyers. */
function routeToBuyers(
  carried: readonly CasePayment[],
  spent: ReadonlyMap<CaseTrade, bigint>,
): readonly CasePayment[] {
  const neededUntil = new Map<Address, CaseTrade | CasePayment>();
  const need = (wallet: Address, place: CaseTrade | CasePayment): void => {
    const known = neededUntil.get(wallet);
    if (known === undefined || byPlace(known, place) < 0) neededUntil.set(wallet, place);
  };
  for (const trade of spent.keys()) need(trade.wallet, trade);
  const route: CasePayment[] = [];
  for (const payment of carried.toReversed()) {
    const until = neededUntil.get(payment.to);
    if (until === undefined || byPlace(payment, until) > 0) continue;
    route.push(payment);
    need(payment.from, payment);
  }
  return route.toSorted((one, other) => byPlace(one, other) || compareText(one.to, other.to));
}
