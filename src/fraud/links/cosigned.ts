import type { Address } from '../../model/units.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

const STRENGTH = 0.95;

/**
 * X-multisig: all wallets signed one transaction. The fee payer is left out of the signers: the
 * fee-payer family evaluates it, and if it trades itself, the others are among its own cosigners.
 */
export const cosigned: LinkFamily = { name: 'cosigned', kind: 'owner', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  // The same wallets sign together many times: each group is returned once.
  const seen = new Map<Address, Set<string>>();
  for (const { wallet, feePayer, cosigners } of mintCase.trades) {
    if (cosigners.length === 0) continue;
    const others = cosigners.filter((signer) => signer !== feePayer);
    if (others.length === 0) continue;
    const ofWallet = seen.get(wallet) ?? new Set();
    seen.set(wallet, ofWallet);
    const [first = ''] = others;
    const key = others.length === 1 ? first : others.join(' ');
    if (ofWallet.has(key)) continue;
    ofWallet.add(key);
    yield {
      relationship: 'same_entity',
      via: null,
      strength: STRENGTH,
      members: evenly([wallet, ...others]),
    };
  }
}
