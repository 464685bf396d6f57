import type { CasePayment, CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder, compareText } from './block-order.ts';
import { within } from './case-order.ts';
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
type Purse = bigint[];

/** Index of a purse for lamports that are not proceeds. */
const OTHER = PROCEEDS_HOPS_MAX + 1;

interface Step {
  readonly payment: CasePayment | null;
  readonly trade: CaseTrade | null;
}

/**
 * Follows the proceeds of sales from the first of them until a time. A payment carries the same
 * part of proceeds as its payer's purse, which makes the result independent of the order in which
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

/** Steps in block order; within one transaction sales, then payments, then purchases. */
function stepsFrom(mintCase: MintCase, first: CaseTrade, untilMs: number): readonly Step[] {
  const trades = within(mintCase.trades, first.timeMs, untilMs).map((trade) => ({
    ref: trade,
    rank: trade.side === 'sell' ? 0 : 2,
    step: { payment: null, trade },
  }));
  const payments = within(mintCase.payments, first.timeMs, untilMs).map((payment) => ({
    ref: payment,
    rank: 1,
    step: { payment, trade: null },
  }));
  return [...trades, ...payments]
    .filter(({ ref }) => byChainOrder(ref, first) >= 0)
    .toSorted((one, other) => byChainOrder(one.ref, other.ref) || one.rank - other.rank)
    .map(({ step }) => step);
}

class Purses {
  /** Payments with proceeds in them, in block order. */
  readonly carried: CasePayment[] = [];
  /** Proceeds spent by each purchase. */
  readonly spent = new Map<CaseTrade, bigint>();
  private readonly mintCase: MintCase;
  private readonly sales: ReadonlySet<CaseTrade>;
  private readonly purses = new Map<Address, Purse>();

  constructor(mintCase: MintCase, sales: ReadonlySet<CaseTrade>) {
    this.mintCase = mintCase;
    this.sales = sales;
  }

  trade(trade: CaseTrade): void {
    const purse = this.purseOf(trade.wallet);
    if (trade.side === 'sell') {
      add(purse, this.sales.has(trade) ? 0 : OTHER, trade.lamports);
      return;
    }
    const proceeds = sumOf(takeInOrder(purse, trade.lamports).slice(0, OTHER));
    if (proceeds > 0n) this.spent.set(trade, proceeds);
  }

  pay(payment: CasePayment): void {
    const taken = takeEvenly(this.purseOf(payment.from), payment.lamports);
    if (!isTrader(this.mintCase, payment.to)) return;
    const isShell = this.mintCase.wallets.get(payment.from)?.isShell ?? false;
    const to = this.purseOf(payment.to);
    let carried = 0n;
    for (const [hops, lamports] of taken.entries()) {
      const after = isShell ? hops : Math.min(hops + 1, OTHER);
      add(to, after, lamports);
      if (after < OTHER) carried += lamports;
    }
    if (carried > 0n) this.carried.push(payment);
    add(to, OTHER, payment.lamports - sumOf(taken));
  }

  private purseOf(wallet: Address): Purse {
    const known = this.purses.get(wallet) ?? Array.from({ length: OTHER + 1 }, () => 0n);
    this.purses.set(wallet, known);
    return known;
  }
}

function add(purse: Purse, index: number, lamports: bigint): void {
  purse[index] = (purse[index] ?? 0n) + lamports;
}

/** Takes lamports from a purse, proceeds first; a missing rest is from before the sales. */
function takeInOrder(purse: Purse, lamports: bigint): Purse {
  let missing = lamports;
  return purse.map((held, index) => {
    const isEnough = held > missing;
    const part = isEnough ? missing : held;
    purse[index] = held - part;
    missing -= part;
    return part;
  });
}

/**
 * Takes the same part of every entry, rounded down; the rounding rest from the last index first.
 */
function takeEvenly(purse: Purse, lamports: bigint): Purse {
  const total = sumOf(purse);
  if (lamports >= total) return takeInOrder(purse, lamports);
  const taken = purse.map((held, index) => {
    const part = (held * lamports) / total;
    purse[index] = held - part;
    return part;
  });
  const rest = takeInOrder(purse.reverse(), lamports - sumOf(taken)).reverse();
  purse.reverse();
  return taken.map((part, index) => part + (rest[index] ?? 0n));
}

function sumOf(purse: readonly bigint[]): bigint {
  return purse.reduce((sum, lamports) => sum + lamports, 0n);
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
