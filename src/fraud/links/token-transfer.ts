import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** A sender of the mint to more wallets than this is an airdrop. */
const RECIPIENTS_MAX = 50;
const STRENGTH = 0.75;

/** T-token: one wallet sent tokens of the mint to the other without a trade. */
export const tokenTransfer: LinkFamily = { name: 'token-transfer', kind: 'owner', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const gifts = mintCase.transfers.filter(({ from, to }) => from !== to);
  for (const [from, transfers] of Map.groupBy(gifts, (gift) => gift.from)) {
    const given = new Set(transfers.map(({ to }) => to));
    if (given.size > RECIPIENTS_MAX) continue;
    for (const to of given) {
      yield {
        relationship: 'same_entity',
        via: null,
        strength: STRENGTH,
        members: evenly([from, to]),
      };
    }
  }
}
