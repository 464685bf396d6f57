import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { ancestorsOf } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** The more wallets somebody pays within 7 days, the less it says to be one of them. */
const STRENGTH_BY_FAN_OUT = [
  { fanOutMax: 20, strength: 0.85 },
  { fanOutMax: 100, strength: 0.6 },
  { fanOutMax: 200, strength: 0.4 },
];
/** For every hop beyond the first. */
const HOP_DISCOUNT = 0.75;

/**
 * F-common: money of both came from one wallet, or that of one from the other over two hops and more
 * (over one hop it is F-direct).
 */
export const commonFunding: LinkFamily = { name: 'common-funding', find };

function* find({ mintCase, participants }: LinkInput): Iterable<LinkGroup> {
  for (const [ancestor, members] of descendants(mintCase, participants)) {
    const strength = strengthOf(mintCase, ancestor);
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

/** By ancestor, whose money came from it, each with its discount. */
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

function strengthOf(mintCase: MintCase, ancestor: Address): number {
  const fanOut = mintCase.wallets.get(ancestor)?.fanOut ?? 0;
  return STRENGTH_BY_FAN_OUT.find(({ fanOutMax }) => fanOut <= fanOutMax)?.strength ?? 0;
}
