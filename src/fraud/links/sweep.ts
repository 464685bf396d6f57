import type { MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { isOwnPurse, isShell } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** Sent on within a day, 7 of 10 parts of all that came in. */
const SENT_ON_MAX_MS = 86_400_000;
const PART_OF_TEN = 7n;
const STRENGTH = 0.85;

/**
 * F-sweep: what wallets got for their tokens, or the tokens themselves, went to one wallet soon after.
 * Who gets the proceeds, if it takes part itself, is of the same hand; who gets the tokens is linked
 * by the transfer.
 */
export const sweep: LinkFamily = { name: 'sweep', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const proceeds = sweepsOf(mintCase, lamportsFlow(mintCase));
  const tokens = sweepsOf(mintCase, tokenFlow(mintCase));
  for (const [sink, sweeps] of Map.groupBy([...proceeds, ...tokens], ({ to }) => to)) {
    if (isOwnPurse(mintCase, sink)) yield intoOne(sink, sweeps.map(senderOf));
  }
  for (const [sink, sweeps] of Map.groupBy(proceeds, ({ to }) => to)) {
    if (isOwnPurse(mintCase, sink)) yield intoOne(sink, [sink, ...sweeps.map(senderOf)]);
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
  readonly place: TransactionRef;
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

/** What sales brought, and what was paid to others. */
function lamportsFlow({ trades, payments }: MintCase): Flow {
  const senders = sendersOf(payments);
  const sells = trades.filter(({ side, wallet }) => side === 'sell' && senders.has(wallet));
  return {
    inflows: sells.map((sell) => ({ place: sell, to: sell.wallet, amount: sell.lamports })),
    outflows: payments.map((payment) => {
      const { from, to, lamports } = payment;
      return { place: payment, from, to, amount: lamports };
    }),
  };
}

/** What was bought and received of the mint, and what was given to others. */
function tokenFlow({ trades, transfers }: MintCase): Flow {
  const senders = sendersOf(transfers);
  const buys = trades.filter(({ side, wallet }) => side === 'buy' && senders.has(wallet));
  const outflows = transfers.map((transfer) => {
    const { from, to, amountRaw } = transfer;
    return { place: transfer, from, to, amount: amountRaw };
  });
  const bought = buys.map((buy) => ({ place: buy, to: buy.wallet, amount: buy.baseRaw }));
  return { inflows: [...bought, ...outflows], outflows };
}

/** What came to somebody who never sent anything on is of no matter. */
function sendersOf(sent: readonly { readonly from: Address }[]): ReadonlySet<Address> {
  return new Set(sent.map(({ from }) => from));
}

/** Who sent most of what came in to one end of the way. */
function sweepsOf(mintCase: MintCase, flow: Flow): readonly Sweep[] {
  const cameIn = new Map<Address, bigint>();
  for (const { to, amount } of flow.inflows) cameIn.set(to, (cameIn.get(to) ?? 0n) + amount);
  const outflows = flow.outflows.filter(({ from }) => cameIn.has(from));
  if (outflows.length === 0) return [];
  const sweeps: Sweep[] = [];
  const sent = sentOn({ inflows: flow.inflows, outflows }, endsOfShells(mintCase, flow.outflows));
  for (const [from, bySink] of sent) {
    const least = (cameIn.get(from) ?? 0n) * PART_OF_TEN;
    for (const [to, amount] of bySink) {
      if (to !== from && amount > 0n && amount * 10n >= least) sweeps.push({ from, to });
    }
  }
  return sweeps;
}

/** By sender and end of the way, what left within a day after something had come in. */
function sentOn(
  { inflows, outflows }: Flow,
  endOf: (wallet: Address) => Address,
): ReadonlyMap<Address, ReadonlyMap<Address, bigint>> {
  const sent = new Map<Address, Map<Address, bigint>>();
  const lastInMs = new Map<Address, number>();
  const steps = [
    ...inflows.map((inflow) => ({ inflow, place: inflow.place })),
    ...outflows.map((outflow) => ({ outflow, place: outflow.place })),
  ];
  // The sort is stable: within a transaction something comes in before it goes on.
  for (const step of steps.sort((one, other) => byChainOrder(one.place, other.place))) {
    if ('inflow' in step) {
      lastInMs.set(step.inflow.to, step.place.timeMs);
      continue;
    }
    const { from, to, amount } = step.outflow;
    const { timeMs } = step.place;
    const sinceMs = lastInMs.get(from);
    if (sinceMs === undefined || timeMs - sinceMs > SENT_ON_MAX_MS) continue;
    const bySink = sent.get(from) ?? new Map<Address, bigint>();
    const sink = endOf(to);
    bySink.set(sink, (bySink.get(sink) ?? 0n) + amount);
    sent.set(from, bySink);
  }
  return sent;
}

/**
 * Of a shell who got most from it, through as many shells as there are; of anybody else itself. Whether
 * somebody is a shell is asked only of those to whom something went.
 */
function endsOfShells(
  mintCase: MintCase,
  outflows: readonly Outflow[],
): (wallet: Address) => Address {
  const mostSent = new Map<Address, { readonly to: Address; readonly amount: bigint }>();
  for (const { from, to, amount } of outflows) {
    if (amount > (mostSent.get(from)?.amount ?? 0n)) mostSent.set(from, { to, amount });
  }
  const nextOf = (wallet: Address): Address | null => {
    const most = mostSent.get(wallet);
    return most === undefined || !isShell(mintCase, wallet) ? null : most.to;
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
