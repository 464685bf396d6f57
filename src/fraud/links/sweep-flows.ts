import type { CasePayment, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { isShell } from './funding-paths.ts';

/** A sweep sends on at least 7/10 of everything received within a day. */
const SENT_ON_MAX_MS = 86_400_000;
const PART_OF_TEN = 7n;

/** A wallet that sent most of what it had to another. */
export interface Sweep {
  readonly from: Address;
  readonly to: Address;
}

export function senderOf({ from }: Sweep): Address {
  return from;
}

export interface Inflow {
  readonly ref: TransactionRef;
  readonly to: Address;
  /** Negative for what was spent. */
  readonly amount: bigint;
}

export interface Outflow extends Inflow {
  readonly from: Address;
}

interface Flow {
  readonly inflows: readonly Inflow[];
  readonly outflows: readonly Outflow[];
}

/**
 * Wallets that had at some time sent most of their inflow until then to one final receiver, within a
 * day after an inflow. A sweep stands when more comes in later.
 */
export function sweepsOf(
  { inflows, outflows: all }: Flow,
  endOf: (wallet: Address) => Address,
): readonly Sweep[] {
  const receivers = new Set(inflows.map(({ to }) => to));
  const outflows = all.filter(({ from }) => receivers.has(from));
  if (outflows.length === 0) return [];
  const sweeps = new Map<string, Sweep>();
  const purses = new Map<Address, Purse>();
  const steps = [
    ...inflows.map((inflow) => ({ inflow, ref: inflow.ref })),
    ...outflows.map((outflow) => ({ outflow, ref: outflow.ref })),
  ];
  // The sort is stable: within a transaction inflows come before outflows.
  for (const step of steps.sort((one, other) => byChainOrder(one.ref, other.ref))) {
    if ('inflow' in step) {
      takeIn(purses, step.inflow);
      continue;
    }
    const { from, to } = step.outflow;
    const sink = endOf(to);
    const isMost = isMostSent(purses.get(from), step.outflow, sink);
    if (isMost && sink !== from) sweeps.set(`${from} ${sink}`, { from, to: sink });
  }
  return [...sweeps.values()];
}

/** What came into a wallet until now, and what it sent to whom since. */
interface Purse {
  had: bigint;
  lastInMs: number;
  readonly sent: Map<Address, bigint>;
}

function takeIn(purses: Map<Address, Purse>, { to, amount, ref }: Inflow): void {
  const purse = purses.get(to) ?? { had: 0n, lastInMs: ref.timeMs, sent: new Map() };
  // Below zero, more was spent than is known to have come in.
  purse.had = purse.had + amount < 0n ? 0n : purse.had + amount;
  purse.lastInMs = ref.timeMs;
  purses.set(to, purse);
}

/** Adds an outflow, and says whether most of what came in has now gone to its receiver. */
function isMostSent(purse: Purse | undefined, { amount, ref }: Outflow, sink: Address): boolean {
  if (purse === undefined || ref.timeMs - purse.lastInMs > SENT_ON_MAX_MS) return false;
  const total = (purse.sent.get(sink) ?? 0n) + amount;
  purse.sent.set(sink, total);
  return purse.had > 0n && total > 0n && total * 10n >= purse.had * PART_OF_TEN;
}

/** Same as `endsOfShells`, for payments of SOL. */
export function endsOfPayments(mintCase: MintCase): (wallet: Address) => Address {
  const sentBy = paymentsFrom(mintCase);
  return endsOfShells(mintCase, (wallet) =>
    sentBy(wallet, Number.NEGATIVE_INFINITY).map(toOutflow),
  );
}

export function toOutflow(payment: CasePayment): Outflow {
  const { from, to, lamports } = payment;
  return { ref: payment, from, to, amount: lamports };
}

/**
 * The final receiver for a wallet: for a shell the wallet that received most from it, through any
 * number of shells; any other wallet is its own. Evaluated only for receivers of outflows.
 */
export function endsOfShells(
  mintCase: MintCase,
  outflowsOf: (wallet: Address) => readonly Outflow[],
): (wallet: Address) => Address {
  const nextOf = (wallet: Address): Address | null => {
    if (!isShell(mintCase, wallet)) return null;
    let [next, most]: [Address | null, bigint] = [null, 0n];
    for (const { to, amount } of outflowsOf(wallet)) if (amount > most) [next, most] = [to, amount];
    return next;
  };
  const ends = new Map<Address, Address>();
  return (wallet) => {
    const known = ends.get(wallet);
    if (known !== undefined) return known;
    const seen = new Set<Address>();
    let end = wallet;
    while (!seen.has(end)) {
      seen.add(end);
      end = nextOf(end) ?? end;
    }
    ends.set(wallet, end);
    return end;
  };
}
