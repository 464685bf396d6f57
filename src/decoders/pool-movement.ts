import type { ChainEvent } from '../model/chain-event.ts';
import type { Instruction } from '../model/instruction.ts';
import type { TokenMovement } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';

/** Whether a transaction moved tokens through a pool, and what of it no event explains. */
export interface PoolMovement {
  readonly movesPools: boolean;
  /** Instructions below which tokens crossed as in a swap without an event that says so. */
  readonly unexplained: readonly Instruction[];
}

/**
 * Looks for swaps that no decoder knows: two transfers of different mints that cross below one
 * instruction. A router's own transfers cross too; they are explained by the pools it called.
 */
export function poolMovementOf(view: TransactionView, events: readonly ChainEvent[]): PoolMovement {
  const explained = new Set<string>();
  for (const event of events) {
    if ('venue' in event) explained.add(placeOf(event));
  }
  const unexplained = callersOfCrossings(view).filter(
    (caller) => !isExplained(view, caller, explained),
  );
  return { movesPools: explained.size > 0 || unexplained.length > 0, unexplained };
}

/** By an event of its own, or of an instruction that it called. */
function isExplained(
  view: TransactionView,
  caller: Instruction,
  explained: ReadonlySet<string>,
): boolean {
  if (explained.has(placeOf(caller))) return true;
  return view.calledBy(caller).some((called) => explained.has(placeOf(called)));
}

function placeOf({ outerIx, innerIx }: Pick<Instruction, 'outerIx' | 'innerIx'>): string {
  return `${outerIx}.${innerIx}`;
}

function callersOfCrossings(view: TransactionView): Instruction[] {
  if (view.ledger.movements.length < 2) return [];
  const transfersOf = new Map<Instruction, TokenMovement[]>();
  for (const movement of view.ledger.movements) {
    if (movement.kind !== 'transfer' || movement.amount === 0n) continue;
    const caller = view.ownerOfLeaf(movement.instruction);
    if (caller === null) continue;
    const transfers = transfersOf.get(caller);
    if (transfers === undefined) transfersOf.set(caller, [movement]);
    else transfers.push(movement);
  }
  return [...transfersOf]
    .filter(([, transfers]) => hasCrossing(view, transfers))
    .map(([caller]) => caller);
}

function hasCrossing(view: TransactionView, transfers: readonly TokenMovement[]): boolean {
  return transfers.some((one, index) =>
    transfers.slice(index + 1).some((other) => isCrossing(view, one, other)),
  );
}

/** Different mints and payers, and one owner that gets what the other paid for. */
function isCrossing(view: TransactionView, one: TokenMovement, other: TokenMovement): boolean {
  if (one.mint === other.mint || one.authority === other.authority) return false;
  return (
    isSameOwner(view, one.source, other.destination) ||
    isSameOwner(view, one.destination, other.source)
  );
}

function isSameOwner(view: TransactionView, one: number, other: number): boolean {
  const owner = view.tokenAccount(one)?.owner ?? null;
  return owner !== null && owner === view.tokenAccount(other)?.owner;
}
