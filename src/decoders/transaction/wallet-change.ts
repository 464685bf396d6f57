import type { Address } from '../../model/units.ts';
import type { TokenMovement } from './token-movements.ts';
import { changeOf, type TransactionView } from './transaction-view.ts';

/** What the whole transaction did to the tokens of a wallet. */
export interface WalletChange {
  /** It got more of some mint than it gave. */
  readonly hasGained: boolean;
  /** It gave more of some mint than it got. */
  readonly hasLost: boolean;
}

/**
 * Sums what the token programs moved into and out of all accounts of an owner, by mint. Wrapped SOL
 * counts as it is sent and received, so that an account for it may live inside the transaction only.
 * Lamports do not count: tips, fees and rent for others are paid by those who do not trade as well.
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
