import type { ChainEvent, Swap } from '../model/chain-event.ts';
import type { Instruction } from '../model/instruction.ts';
import { type Venue, WRAPPED_SOL } from '../model/program.ts';
import type { TransactionView } from './transaction-view.ts';

/** Venues whose curves are backed by lamports of the account that names the pool. */
const NATIVE_VENUES: ReadonlySet<Venue> = new Set(['pump', 'moonshot', 'boop']);

/**
 * Curves that hold native SOL may pay out by debiting their own lamports, which no instruction
 * shows. Here the SOL legs of a transaction's curve swaps are held against what the curve account
 * really gained. Lamports sent to the curve outside its swaps (rent) are set apart. A contradiction
 * quarantines the swaps. Curves that keep wrapped SOL in a vault are settled by their transfers, and
 * one that was emptied in the same transaction has no balance left to tell.
 */
export function settleNativeCurves(events: ChainEvent[], view: TransactionView): void {
  const pools = new Map<string, number[]>();
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as ChainEvent;
    if (event.kind !== 'swap' || !NATIVE_VENUES.has(event.venue)) continue;
    if (event.quoteMint !== WRAPPED_SOL || hasWrappedLeg(view, event)) continue;
    const group = pools.get(event.pool);
    if (group === undefined) pools.set(event.pool, [index]);
    else group.push(index);
  }
  for (const [pool, group] of pools) {
    if (!isEmptied(events, pool)) settlePool(events, view, pool, group);
  }
}

/** A migration takes what the curve holds; so does a completion that is no buy's consequence. */
function isEmptied(events: readonly ChainEvent[], pool: string): boolean {
  return events.some((event) => {
    if (event.kind === 'migrate') return event.fromPool === pool;
    if (event.kind !== 'curveComplete' || event.pool !== pool) return false;
    const { outerIx, innerIx } = event;
    return !events.some(
      (other) => other.kind === 'swap' && other.outerIx === outerIx && other.innerIx === innerIx,
    );
  });
}

function settlePool(
  events: ChainEvent[],
  view: TransactionView,
  pool: string,
  group: readonly number[],
): void {
  const swaps = group.map((index) => events[index] as Swap);
  const { keys, lamportsBefore, lamportsAfter } = view.transaction;
  const account = keys.indexOf(pool);
  const before = lamportsBefore[account];
  const after = lamportsAfter[account];
  if (before === undefined || after === undefined) return;
  let explained = rentSentTo(view, account, swaps);
  for (const swap of swaps) explained += swap.poolQuoteDelta;
  if (explained === after - before) return;
  const quarantine = `curve gained ${after - before} lamports, its swaps explain ${explained}`;
  for (const index of group) events[index] = { ...(events[index] as Swap), quarantine };
}

/** Lamports the system program moved to the account outside the given swaps. */
function rentSentTo(view: TransactionView, account: number, swaps: readonly Swap[]): bigint {
  let lamports = 0n;
  for (const movement of view.systemMovements) {
    if (movement.to !== account) continue;
    const isLeg = swaps.some((swap) => isLeafOf(view, movement.instruction, swap));
    if (!isLeg || movement.kind === 'createAccount') lamports += movement.lamports;
  }
  return lamports;
}

function hasWrappedLeg(view: TransactionView, swap: Swap): boolean {
  return view.ledger.movements.some(
    ({ mint, instruction }) => mint === WRAPPED_SOL && isLeafOf(view, instruction, swap),
  );
}

function isLeafOf(view: TransactionView, leaf: Instruction, swap: Swap): boolean {
  const owner = view.ownerOfLeaf(leaf);
  return owner !== null && swap.outerIx === owner.outerIx && swap.innerIx === owner.innerIx;
}
