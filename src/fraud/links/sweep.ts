import type { CasePayment, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { isPersonalWallet, isShell } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** A sweep sends on at least 7/10 of everything received within a day. */
const SENT_ON_MAX_MS = 86_400_000;
const PART_OF_TEN = 7n;
const STRENGTH = 0.85;

/**
 * F-sweep: the sale proceeds of wallets, or their tokens, went to one wallet soon after. A receiver
 * of proceeds that is a participant itself has the same owner; a receiver of tokens is linked by
 * the transfer.
 */
export const sweep: LinkFamily = { name: 'sweep', kind: 'owner', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const proceeds = lamportSweeps(mintCase);
  const tokens = tokenSweeps(mintCase);
  for (const [sink, sweeps] of Map.groupBy([...proceeds, ...tokens], ({ to }) => to)) {
    if (isPersonalWallet(mintCase, sink)) yield intoOne(sink, sweeps.map(senderOf));
  }
  for (const [sink, sweeps] of Map.groupBy(proceeds, ({ to }) => to)) {
    if (isPersonalWallet(mintCase, sink)) yield intoOne(sink, [sink, ...sweeps.map(senderOf)]);
  }
}

function intoOne(sink: Address, wallets: readonly Address[]): LinkGroup {
  return {
    relationship: 'indirect_funding',
    via: sink,
    strength: STRENGTH,
    members: evenly(wallets),
  };
}

interface Sweep {
  readonly from: Address;
  readonly to: Address;
}

function senderOf({ from }: Sweep): Address {
  return from;
}

interface Inflow {
  readonly ref: TransactionRef;
  readonly to: Address;
  readonly amount: bigint;
}

interface Outflow extends Inflow {
  readonly from: Address;
}

interface Flow {
  readonly inflows: readonly Inflow[];
  readonly outflows: readonly Outflow[];
}

/** Sweeps of SOL: sale proceeds in, payments out. */
function lamportSweeps(mintCase: MintCase): readonly Sweep[] {
  const sentBy = paymentsFrom(mintCase);
  const sells = mintCase.trades.filter(({ side }) => side === 'sell');
  const firstSaleMs = new Map(sells.toReversed().map(({ wallet, timeMs }) => [wallet, timeMs]));
  const outflows: Outflow[] = [];
  for (const [wallet, timeMs] of firstSaleMs) {
    for (const payment of sentBy(wallet, timeMs)) outflows.push(toOutflow(payment));
  }
  if (outflows.length === 0) return [];
  // Inflows matter only for wallets that sent something on.
  const senders = new Set(outflows.map(({ from }) => from));
  const inflows = sells
    .filter(({ wallet }) => senders.has(wallet))
    .map((sell) => ({ ref: sell, to: sell.wallet, amount: sell.lamports }));
  const outflowsOf = (wallet: Address): readonly Outflow[] =>
    sentBy(wallet, Number.NEGATIVE_INFINITY).map(toOutflow);
  return sweepsOf({ inflows, outflows }, endsOfShells(mintCase, outflowsOf));
}

function toOutflow(payment: CasePayment): Outflow {
  const { from, to, lamports } = payment;
  return { ref: payment, from, to, amount: lamports };
}

/** Sweeps of tokens: purchases and received transfers in, sent transfers out. */
function tokenSweeps(mintCase: MintCase): readonly Sweep[] {
  const { trades, transfers } = mintCase;
  if (transfers.length === 0) return [];
  const sent = transfers.map((transfer) => {
    const { from, to, amountRaw } = transfer;
    return { ref: transfer, from, to, amount: amountRaw };
  });
  const bySender = Map.groupBy(sent, ({ from }) => from);
  const bought = trades
    .filter(({ side, wallet }) => side === 'buy' && bySender.has(wallet))
    .map((buy) => ({ ref: buy, to: buy.wallet, amount: buy.baseRaw }));
  const ends = endsOfShells(mintCase, (wallet) => bySender.get(wallet) ?? []);
  return sweepsOf({ inflows: [...bought, ...sent], outflows: sent }, ends);
}

/**
 * Wallets that had at some time sent most of their inflow until then to one final receiver, within a
 * day after an inflow. A sweep stands when more comes in later.
 */
function sweepsOf(
  { inflows, outflows: all }: Flow,
  endOf: (wallet: Address) => Address,
): readonly Sweep[] {
  const receivers = new Set(inflows.map(({ to }) => to));
  const outflows = all.filter(({ from }) => receivers.has(from));
  if (outflows.length === 0) return [];
  const sweeps = new Map<string, Sweep>();
  const sent = new Map<Address, Map<Address, bigint>>();
  const cameIn = new Map<Address, bigint>();
  const lastInMs = new Map<Address, number>();
  const steps = [
    ...inflows.map((inflow) => ({ inflow, ref: inflow.ref })),
    ...outflows.map((outflow) => ({ outflow, ref: outflow.ref })),
  ];
  // The sort is stable: within a transaction inflows come before outflows.
  for (const step of steps.sort((one, other) => byChainOrder(one.ref, other.ref))) {
    if ('inflow' in step) {
      const { to, amount } = step.inflow;
      lastInMs.set(to, step.ref.timeMs);
      cameIn.set(to, (cameIn.get(to) ?? 0n) + amount);
      continue;
    }
    const { from, to, amount } = step.outflow;
    const { timeMs } = step.ref;
    const sinceMs = lastInMs.get(from);
    if (sinceMs === undefined || timeMs - sinceMs > SENT_ON_MAX_MS) continue;
    const bySink = sent.get(from) ?? new Map<Address, bigint>();
    const sink = endOf(to);
    const total = (bySink.get(sink) ?? 0n) + amount;
    sent.set(from, bySink.set(sink, total));
    const isMost = total > 0n && total * 10n >= (cameIn.get(from) ?? 0n) * PART_OF_TEN;
    if (isMost && sink !== from) sweeps.set(`${from} ${sink}`, { from, to: sink });
  }
  return [...sweeps.values()];
}

/**
 * The final receiver for a wallet: for a shell the wallet that received most from it, through any
 * number of shells; any other wallet is its own. Evaluated only for receivers of outflows.
 */
function endsOfShells(
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
