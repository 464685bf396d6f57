import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

const STRENGTH = 0.95;

/**
 * X-multisig: all signed one transaction. Who pays the fee is left out of the signers: the family of
 * fee payers judges it, and if it trades itself the others are among its own cosigners.
 */
export const cosigned: LinkFamily = { name: 'cosigned', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  for (const { wallet, feePayer, cosigners } of mintCase.trades) {
    const others = cosigners.filter((signer) => signer !== feePayer);
    if (others.length === 0) continue;
    yield {
      relationship: 'same_entity',
      via: null,
      strength: STRENGTH,
      members: evenly([wallet, ...others]),
    };
  }
}
