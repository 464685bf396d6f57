import type { Tip } from '../../model/slot-facts.ts';
import { JITO_TIP_ACCOUNTS, NOZOMI_TIP_ACCOUNTS } from '../../model/tip-accounts.ts';
import { type Address, asLamports } from '../../model/units.ts';
import type { TransactionView } from './transaction-view.ts';

/** The minimum tip that Jito accepts for a bundle. Less is dust sent to a well-known address. */
export const JITO_TIP_LAMPORTS_MIN = 1_000n;

const PROVIDERS: ReadonlyMap<string, Tip['provider']> = new Map([
  ...JITO_TIP_ACCOUNTS.map((account) => [account, 'jito'] as const),
  ...NOZOMI_TIP_ACCOUNTS.map((account) => [account, 'other'] as const),
]);

/** Tips paid anywhere in the transaction, in order. */
export function tipsOf(view: TransactionView): Tip[] {
  const { keys } = view.transaction;
  const tips: Tip[] = [];
  for (const { kind, to, lamports } of view.systemMovements) {
    if (kind !== 'transfer' || to < 0 || to >= keys.length) continue;
    const address: Address = keys.at(to);
    const provider = PROVIDERS.get(address);
    const isTip = provider === 'jito' ? lamports >= JITO_TIP_LAMPORTS_MIN : lamports > 0n;
    if (provider === undefined || !isTip) continue;
    tips.push({ lamports: asLamports(lamports), to: address, provider });
  }
  return tips;
}
