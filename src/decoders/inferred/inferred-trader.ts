import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { partyTransferOf } from '../transaction/token-parties.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * The wallet behind an inferred swap whose counterparty did not sign, because a router's account
 * traded for it: the only signer from whom the outer instruction took one mint and to whom it gave
 * another. Null when there is none or more than one.
 */
export function inferredTraderOf(view: TransactionView, { outerIx }: Instruction): Address | null {
  const flows = new Map<Address, Map<Address, bigint>>();
  const add = (party: Address, mint: Address, change: bigint) => {
    if (!view.hasSigned(party)) return;
    const byMint = flows.get(party) ?? new Map<Address, bigint>();
    flows.set(party, byMint);
    byMint.set(mint, (byMint.get(mint) ?? 0n) + change);
  };
  for (const movement of view.ledger.movements) {
    if (movement.instruction.outerIx !== outerIx) continue;
    const transfer = partyTransferOf(view, movement);
    if (transfer === null) continue;
    add(transfer.from, transfer.mint, -movement.amount);
    add(transfer.to, transfer.mint, movement.amount);
  }
  const traders = [...flows].filter(([, byMint]) => isExchange([...byMint.values()]));
  return traders.length === 1 ? (traders[0]?.[0] ?? null) : null;
}

function isExchange(changes: readonly bigint[]): boolean {
  return changes.some((change) => change < 0n) && changes.some((change) => change > 0n);
}
