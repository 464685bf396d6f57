import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { ancestorsOf, commonStrength, HOP_DISCOUNT } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/**
 * F-common: the money of both wallets came from one wallet, or that of one from the other over two
 * or more hops (one hop is F-direct).
 */
export const commonFunding: LinkFamily = { name: 'common-funding', find };

function* find({ mintCase, participants }: LinkInput): Iterable<LinkGroup> {
  for (const [ancestor, members] of descendants(mintCase, participants)) {
    // Most ancestors are those of one participant.
    if (members.size < 2 && !participants.has(ancestor)) continue;
    const strength = commonStrength(mintCase, ancestor);
    if (strength === 0) continue;
    const common = { relationship: 'indirect_funding', via: ancestor } as const;
    yield { ...common, strength, members };
    const below = participants.has(ancestor) ? members : [];
    for (const [wallet, nearness] of below) {
      if (nearness === 1) continue;
      yield { ...common, strength: strength * nearness, members: evenly([ancestor, wallet]) };
    }
  }
}

/** For each ancestor, the participants whose money came from it, each with its discount. */
function descendants(mintCase: MintCase, participants: ReadonlySet<Address>) {
  const found = new Map<Address, Map<Address, number>>();
  for (const wallet of participants) {
    for (const [ancestor, hops] of ancestorsOf(mintCase, wallet)) {
      const known = found.get(ancestor) ?? new Map<Address, number>();
      found.set(ancestor, known.set(wallet, HOP_DISCOUNT ** (hops - 1)));
    }
  }
  return found;
}
