import type { Address } from '../../model/units.ts';
import type { TokenMovement } from './token-movements.ts';
import { changeOf, type TransactionView } from './transaction-view.ts';

/** Change of a wallet's tokens over the whole transaction. */
export interface WalletChange {
  /** It received more of some mint than it gave. */
  readonly hasGained: boolean;
  /** It gave more of some mint than it received. */
  readonly hasLost: boolean;
}

/**
 * Sums the token movements into and out of all accounts of an owner, by mint. Wrapped SOL counts
 * when it is sent and received, so an account for it may exist within the transaction only.
 * Lamports do not count, since wallets that do not trade also pay tips, fees and rent for others.
 */
export function changeOfWallet(view: TransactionView, owner: Address): WalletChange {
  const byMint = new Map<Address, bigint>();
  const add = (mint: Address, account: number, movement: TokenMovement) => {
    if (view.tokenAccount(account)?.owner !== owner) return;
    byMint.set(mint, (byMint.get(mint) ?? 0n) + changeOf(movement, account));
  };
  for (const movement of view.ledger.movements) {
    const { mint, source, destination } = movement;
    if (mint === null || source === destination) continue;
    add(mint, source, movement);
    add(mint, destination, movement);
  }
  const changes = [...byMint.values()];
  return {
    hasGained: changes.some((change) => change > 0n),
    hasLost: changes.some((change) => change < 0n),
  };
}
