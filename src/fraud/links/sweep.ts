import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { changeSweeps } from './change-sweeps.ts';
import { isPersonalWallet } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';
import {
  endsOfPayments,
  endsOfShells,
  type Outflow,
  type Sweep,
  senderOf,
  sweepsOf,
  toOutflow,
} from './sweep-flows.ts';

const STRENGTH = 0.85;

/**
 * F-sweep: the sale proceeds of wallets, what they did not spend, or their tokens went to one wallet
 * soon after. A receiver of SOL that is a participant itself has the same owner; a receiver of
 * tokens is linked by the transfer.
 */
export const sweep: LinkFamily = { name: 'sweep', kind: 'owner', find };

function* find(input: LinkInput): Iterable<LinkGroup> {
  const { mintCase } = input;
  const lamports = [...proceedsSweeps(mintCase), ...changeSweeps(input)];
  const tokens = tokenSweeps(mintCase);
  for (const [sink, sweeps] of Map.groupBy([...lamports, ...tokens], ({ to }) => to)) {
    if (isPersonalWallet(mintCase, sink)) yield intoOne(sink, sweeps.map(senderOf));
  }
  for (const [sink, sweeps] of Map.groupBy(lamports, ({ to }) => to)) {
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

/** Sweeps of sale proceeds: sales in, payments out. */
function proceedsSweeps(mintCase: MintCase): readonly Sweep[] {
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
  return sweepsOf({ inflows, outflows }, endsOfPayments(mintCase));
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
