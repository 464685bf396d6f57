import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { FindingBadge, worstOf } from '../../../ui/finding-badge.tsx';
import type { Finding } from '../token-types.ts';

type NamedWallets = ReadonlyMap<string, Finding>;

/** The most certain finding of the token that names a wallet, by address. */
export const NamedWalletsContext = createContext<NamedWallets>(new Map());

export function namedWalletsOf(findings: readonly Finding[]): NamedWallets {
  const byWallet = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const { address } of finding.involved_wallets) {
      const known = byWallet.get(address);
      if (known === undefined) byWallet.set(address, [finding]);
      else known.push(finding);
    }
  }
  const worst = [...byWallet].flatMap(([wallet, named]) => {
    const finding = worstOf(named);
    return finding === null ? [] : [[wallet, finding] as const];
  });
  return new Map(worst);
}

/** The finding of this token that names a wallet, if one does. */
export function FindingOfWallet({ wallet }: { readonly wallet: string | null }) {
  const finding = useContext(NamedWalletsContext).get(wallet ?? '');
  return finding === undefined ? null : <FindingBadge finding={finding} />;
}
