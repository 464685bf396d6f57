import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** Minimum number of other mints that both wallets bought or sold in one slot. */
export const CO_TRADED_MINTS_MIN = 3;
const STRENGTH = 0.7;

/**
 * B-cotrade: both wallets repeatedly trade the same mints in the same slots. So do those that copy
 * one leader, a few slots behind it, and the leader's crew: alone it is no link (METHODS §13.3).
 */
export const coTrades: LinkFamily = { name: 'co-trades', kind: 'support', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  for (const { one, other, mints } of mintCase.coTrades) {
    if (mints < CO_TRADED_MINTS_MIN) continue;
    yield {
      relationship: 'coordinated_trading',
      via: null,
      strength: STRENGTH,
      members: evenly([one, other]),
    };
  }
}
