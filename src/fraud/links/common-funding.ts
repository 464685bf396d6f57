import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { ancestorsOf, commonStrength, HOP_DISCOUNT } from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/**
 * F-common: the money of both wallets came from one wallet, or that of one from the other over two
 * or more hops (one hop is F-direct).
 */
export const commonFunding: LinkFamily = { name: 'common-funding', kind: 'owner', find };

function* find({ mintCase, participants }: LinkInput): Iterable<LinkGroup> {
  const lastMs = new Map(mintCase.trades.map(({ wallet, timeMs }) => [wallet, timeMs]));
  for (const [ancestor, members] of descendants(mintCase, participants, lastMs)) {
    // Most ancestors are those of one participant.
    if (members.size < 2 && !participants.has(ancestor)) continue;
    const strength = commonStrength(mintCase, ancestor);
    if (strength === 0) continue;
    const common = { relationship: 'indirect_funding', via: ancestor } as const;
    yield { ...common, strength, members };
    const below = participants.has(ancestor) ? members : new Map<Address, number>();
    for (const [wallet, nearest] of below) {
      const nearness = nearest < 1 ? nearest : nearnessBeside(mintCase, ancestor, wallet, lastMs);
      yield* linkOver(nearness, { ...common, strength, members: evenly([ancestor, wallet]) });
    }
  }
}

function* linkOver(nearness: number, group: LinkGroup): Iterable<LinkGroup> {
  if (nearness > 0) yield { ...group, strength: group.strength * nearness };
}

/**
 * The discount of the path to an ancestor beside its own payments, which F-direct measures: they
 * must not hide it. 0 without one.
 */
function nearnessBeside(
  mintCase: MintCase,
  ancestor: Address,
  wallet: Address,
  lastMs: ReadonlyMap<Address, number>,
): number {
  const path = { untilMs: lastMs.get(wallet), notFrom: ancestor };
  const hops = ancestorsOf(mintCase, wallet, path).get(ancestor);
  return hops === undefined || hops === 1 ? 0 : HOP_DISCOUNT ** (hops - 1);
}

/**
 * For each ancestor, the participants whose money came from it before they last traded the mint,
 * each with its discount. Who never traded it may still do so: all its money counts.
 */
function descendants(
  mintCase: MintCase,
  participants: ReadonlySet<Address>,
  lastMs: ReadonlyMap<Address, number>,
) {
  const found = new Map<Address, Map<Address, number>>();
  for (const wallet of participants) {
    for (const [ancestor, hops] of ancestorsOf(mintCase, wallet, { untilMs: lastMs.get(wallet) })) {
      const known = found.get(ancestor) ?? new Map<Address, number>();
      found.set(ancestor, known.set(wallet, HOP_DISCOUNT ** (hops - 1)));
    }
  }
  return found;
}
