import type { CasePayment, CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder, compareText } from './block-order.ts';
import { within } from './case-order.ts';
import { paymentsBetween } from './payments-from.ts';
import { isTrader } from './traders.ts';

/**
 * Maximum number of payments that proceeds are followed over, not counting those by shells (METHODS
 * §7.5).
 */
export const PROCEEDS_HOPS_MAX = 3;

/** The destinations of the SOL from some sales. */
export interface ProceedsFlow {
  /** Lamports of a purchase that come from the sales; 0 for other trades. */
  readonly spentOn: (trade: CaseTrade) => bigint;
  /** Payments through which proceeds reached a buyer that spent them, in block order. */
  readonly route: readonly CasePayment[];
}

/**
 * Lamports that a wallet is known to have received since the sale. Index n holds proceeds after n
 * payments; the last index holds lamports that are not proceeds.
 */
type LamportsByHops = bigint[];

/** Index of the lamports that are not proceeds. */
const OTHER = PROCEEDS_HOPS_MAX + 1;

interface Step {
  readonly payment: CasePayment | null;
  readonly trade: CaseTrade | null;
}

/**
 * Follows the proceeds of sales from the first of them until a time. A payment carries the same
 * part of proceeds as its payer’s wallet, which makes the result independent of the order in which
 * buyers were paid. A purchase spends proceeds first, because buyers were paid for it. The earlier
 * balance of a wallet is unknown and is treated as spent last. Payments to an exchange, hub or
 * other shared account are not followed. Lists must be in block order.
 */
export function followProceeds(
  mintCase: MintCase,
  sales: readonly CaseTrade[],
  untilMs: number,
): ProceedsFlow {
  const [first] = sales;
  const flow = new LamportFlow(mintCase, new Set(sales));
  if (first !== undefined) {
    for (const { payment, trade } of stepsFrom(mintCase, sales, first, untilMs)) {
      if (payment !== null) flow.pay(payment);
      else if (trade !== null) flow.trade(trade);
    }
  }
  const { carried, spent } = flow;
  return { spentOn: (trade) => spent.get(trade) ?? 0n, route: routeToBuyers(carried, spent) };
}

/** Steps in block order; within one transaction sales, then payments, then purchases. */
function stepsFrom(
  mintCase: MintCase,
  sales: readonly CaseTrade[],
  first: CaseTrade,
  untilMs: number,
): readonly Step[] {
  const sellers = new Set(sales.map(({ wallet }) => wallet));
  // Without a payment from a seller, no other payment carries proceeds.
  const isSentOn = paymentsBetween(mintCase, sellers, first.timeMs, untilMs).length > 0;
  const sentOn = isSentOn ? within(mintCase.payments, first.timeMs, untilMs) : [];
  const carriers = carriersOf(sentOn, sellers);
  const trades = within(mintCase.trades, first.timeMs, untilMs)
    .filter(({ wallet }) => carriers.has(wallet))
    .map((trade) => ({
      ref: trade,
      rank: trade.side === 'sell' ? 0 : 2,
      step: { payment: null, trade },
    }));
  const payments = sentOn
    .filter(({ from, to }) => carriers.has(from) || carriers.has(to))
    .map((payment) => ({
      ref: payment,
      rank: 1,
      step: { payment, trade: null },
    }));
  return [...trades, ...payments]
    .filter(({ ref }) => byChainOrder(ref, first) >= 0)
    .toSorted((one, other) => byChainOrder(one.ref, other.ref) || one.rank - other.rank)
    .map(({ step }) => step);
}

/**
 * The sellers, and wallets that may hold proceeds because one of these paid them. Only their trades
 * and payments matter: what another wallet pays is no proceeds, whatever it received before.
 */
function carriersOf(
  payments: readonly CasePayment[],
  sellers: ReadonlySet<Address>,
): ReadonlySet<Address> {
  const carriers = new Set(sellers);
  for (const { from, to } of payments) if (carriers.has(from)) carriers.add(to);
  return carriers;
}

class LamportFlow {
  /** Payments with proceeds in them, in block order. */
  readonly carried: CasePayment[] = [];
  /** Proceeds spent by each purchase. */
  readonly spent = new Map<CaseTrade, bigint>();
  private readonly mintCase: MintCase;
  private readonly sales: ReadonlySet<CaseTrade>;
  private readonly wallets = new Map<Address, LamportsByHops>();

  constructor(mintCase: MintCase, sales: ReadonlySet<CaseTrade>) {
    this.mintCase = mintCase;
    this.sales = sales;
  }

  trade(trade: CaseTrade): void {
    const received = this.lamportsOf(trade.wallet);
    if (trade.side === 'sell') {
      add(received, this.sales.has(trade) ? 0 : OTHER, trade.lamports);
      return;
    }
    const proceeds = sumOf(takeInOrder(received, trade.lamports).slice(0, OTHER));
    if (proceeds > 0n) this.spent.set(trade, proceeds);
  }

  pay(payment: CasePayment): void {
    const taken = takeEvenly(this.lamportsOf(payment.from), payment.lamports);
    if (!isTrader(this.mintCase, payment.to)) return;
    const isShell = this.mintCase.wallets.get(payment.from)?.isShell ?? false;
    const to = this.lamportsOf(payment.to);
    let carried = 0n;
    for (const [hops, lamports] of taken.entries()) {
      const after = isShell ? hops : Math.min(hops + 1, OTHER);
      add(to, after, lamports);
      if (after < OTHER) carried += lamports;
    }
    if (carried > 0n) this.carried.push(payment);
    add(to, OTHER, payment.lamports - sumOf(taken));
  }

  private lamportsOf(wallet: Address): LamportsByHops {
    const known = this.wallets.get(wallet) ?? Array.from({ length: OTHER + 1 }, () => 0n);
    this.wallets.set(wallet, known);
    return known;
  }
}

function add(received: LamportsByHops, index: number, lamports: bigint): void {
  received[index] = (received[index] ?? 0n) + lamports;
}

/** Takes lamports from a wallet, proceeds first; a missing rest is from before the sales. */
function takeInOrder(received: LamportsByHops, lamports: bigint): LamportsByHops {
  let missing = lamports;
  return received.map((held, index) => {
    const isEnough = held > missing;
    const part = isEnough ? missing : held;
    received[index] = held - part;
    missing -= part;
    return part;
  });
}

/**
 * Takes the same part of every entry, rounded down; the rounding rest from the last index first.
 */
function takeEvenly(received: LamportsByHops, lamports: bigint): LamportsByHops {
  const total = sumOf(received);
  if (lamports >= total) return takeInOrder(received, lamports);
  const taken = received.map((held, index) => {
    const part = (held * lamports) / total;
    received[index] = held - part;
    return part;
  });
  const rest = takeInOrder(received.reverse(), lamports - sumOf(taken)).reverse();
  received.reverse();
  return taken.map((part, index) => part + (rest[index] ?? 0n));
}

function sumOf(received: readonly bigint[]): bigint {
  return received.reduce((sum, lamports) => sum + lamports, 0n);
}

/** The payments that supplied what buyers spent, found backwards from the buyers. */
function routeToBuyers(
  carried: readonly CasePayment[],
  spent: ReadonlyMap<CaseTrade, bigint>,
): readonly CasePayment[] {
  const neededUntil = new Map<Address, CaseTrade | CasePayment>();
  const need = (wallet: Address, until: CaseTrade | CasePayment): void => {
    const known = neededUntil.get(wallet);
    if (known === undefined || byChainOrder(known, until) < 0) neededUntil.set(wallet, until);
  };
  for (const trade of spent.keys()) need(trade.wallet, trade);
  const route: CasePayment[] = [];
  for (const payment of carried.toReversed()) {
    const until = neededUntil.get(payment.to);
    if (until === undefined || byChainOrder(payment, until) > 0) continue;
    route.push(payment);
    need(payment.from, payment);
  }
  return route.toSorted((one, other) => byChainOrder(one, other) || compareText(one.to, other.to));
}
