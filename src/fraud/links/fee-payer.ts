import { isTrader } from '../readings/traders.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** A wallet that pays for more owners than this is a service. */
const OWNERS_MAX = 20;
const STRENGTH = 0.9;

/**
 * X-payer: one wallet pays the network fees of the others. Excludes sponsors and payers of terminal
 * trades: those are relays of the terminal, whose users are unrelated.
 */
export const feePayer: LinkFamily = { name: 'fee-payer', kind: 'owner', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const paid = mintCase.trades.filter((trade) => trade.feePayer !== trade.wallet);
  for (const [payer, trades] of Map.groupBy(paid, (trade) => trade.feePayer)) {
    if (!isTrader(mintCase, payer) || trades.some(({ isTerminal }) => isTerminal)) continue;
    const owners = new Set(trades.map(({ wallet }) => wallet));
    if (owners.size > OWNERS_MAX) continue;
    yield {
      relationship: 'same_entity',
      via: payer,
      strength: STRENGTH,
      members: evenly([...owners, payer]),
    };
  }
}
