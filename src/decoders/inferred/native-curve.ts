import type { ChainEvent, FeeSweep } from '../../model/chain-event.ts';
import type { EventPosition } from '../../model/event-position.ts';
import { type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import type { SystemMovement } from '../transaction/system-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Venues whose curves are backed by lamports of the account that names the pool. */
const NATIVE_VENUES: ReadonlySet<Venue> = new Set(['pump', 'moonshot', 'boop']);

/** Fees paid out of a curve that its balance contradicts, and why. */
export interface ContradictedSweep {
  readonly sweep: FeeSweep;
  readonly reason: string;
}

/** What a transaction did on one curve: places of its swaps and sweeps among the events. */
interface CurveEvents {
  readonly swaps: number[];
  readonly sweeps: number[];
}

/**
 * Curves that hold native SOL may pay out by debiting their own lamports, which no instruction
 * shows. Here the SOL legs of a transaction's curve swaps, the fees that they left on the curve and
 * the sweeps of such fees are checked against what the curve account really gained. Lamports sent to
 * the curve outside its swaps (rent) are set apart. A contradiction quarantines the swaps, and takes
 * the sweeps out of `events`: those are returned. Curves that keep wrapped SOL in a vault are settled
 * by their transfers, and one that was emptied in the same transaction has no balance left to check.
 */
export function settleNativeCurves(
  events: ChainEvent[],
  view: TransactionView,
): readonly ContradictedSweep[] {
  const curves = nativeCurvesOf(events, view);
  if (curves.size === 0) return [];
  const emptied = emptiedCurvesOf(events);
  const received = movementsByReceiver(view.systemMovements);
  const contradicted = new Map<ChainEvent, string>();
  for (const [pool, curve] of curves) {
    if (emptied.has(pool)) continue;
    const account = view.transaction.keys.indexOf(pool);
    const reason = contradictionOf(events, view, { ...curve, account, received });
    if (reason === null) continue;
    for (const index of curve.swaps) {
      events[index] = { ...(events[index] as Swap), quarantine: reason };
    }
    for (const index of curve.sweeps) contradicted.set(events[index] as ChainEvent, reason);
  }
  return contradicted.size === 0 ? [] : takeSweeps(events, contradicted);
}

function nativeCurvesOf(
  events: readonly ChainEvent[],
  view: TransactionView,
): Map<string, CurveEvents> {
  const curves = new Map<string, CurveEvents>();
  let wrapped: ReadonlySet<string> | null = null;
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as ChainEvent;
    if (!isSolLeg(event)) continue;
    wrapped ??= positionsOfWrappedLegs(view);
    if (wrapped.has(placeOf(event))) continue;
    let curve = curves.get(event.pool);
    if (curve === undefined) {
      curve = { swaps: [], sweeps: [] };
      curves.set(event.pool, curve);
    }
    (event.kind === 'swap' ? curve.swaps : curve.sweeps).push(index);
  }
  return curves;
}

function isSolLeg(event: ChainEvent): event is Swap | FeeSweep {
  if (event.kind !== 'swap' && event.kind !== 'feeSweep') return false;
  const mint = event.kind === 'swap' ? event.quoteMint : event.mint;
  return mint === WRAPPED_SOL && NATIVE_VENUES.has(event.venue);
}

/** Instructions below which wrapped SOL moved as tokens. */
function positionsOfWrappedLegs(view: TransactionView): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { mint, instruction } of view.ledger.movements) {
    const owner = mint === WRAPPED_SOL ? view.ownerOfLeaf(instruction) : null;
    if (owner !== null) places.add(placeOf(owner));
  }
  return places;
}

/** A migration takes what the curve holds; so does a completion that is no buy's consequence. */
function emptiedCurvesOf(events: readonly ChainEvent[]): ReadonlySet<string> {
  const swaps = new Set<string>();
  for (const event of events) if (event.kind === 'swap') swaps.add(placeOf(event));
  const emptied = new Set<string>();
  for (const event of events) {
    if (event.kind === 'migrate') emptied.add(event.fromPool);
    if (event.kind === 'curveComplete' && !swaps.has(placeOf(event))) emptied.add(event.pool);
  }
  return emptied;
}

function movementsByReceiver(
  movements: readonly SystemMovement[],
): ReadonlyMap<number, readonly SystemMovement[]> {
  const byReceiver = new Map<number, SystemMovement[]>();
  for (const movement of movements) {
    const received = byReceiver.get(movement.to);
    if (received === undefined) byReceiver.set(movement.to, [movement]);
    else received.push(movement);
  }
  return byReceiver;
}

interface SettledCurve extends CurveEvents {
  readonly account: number;
  readonly received: ReadonlyMap<number, readonly SystemMovement[]>;
}

/** Why the curve's lamports do not follow its events, or null: also where no balance is known. */
function contradictionOf(
  events: readonly ChainEvent[],
  view: TransactionView,
  curve: SettledCurve,
): string | null {
  const before = view.transaction.lamportsBefore[curve.account];
  const after = view.transaction.lamportsAfter[curve.account];
  if (before === undefined || after === undefined) return null;
  const swaps = curve.swaps.map((index) => events[index] as Swap);
  let explained = lamportsOf(swaps, curve.received.get(curve.account) ?? [], view);
  for (const index of curve.sweeps) explained -= (events[index] as FeeSweep).amountRaw;
  if (explained === after - before) return null;
  const subject = curve.sweeps.length === 0 ? 'swaps' : 'swaps and sweeps';
  return `curve gained ${after - before} lamports, its ${subject} explain ${explained}`;
}

/**
 * Lamports that swaps and system transfers brought the curve. Buys on pump are read from transfers
 * of their own, which are counted as such, deposits for a larger account among them; elsewhere a
 * swap's lamports may have moved without a transfer, and it is the swap that is counted.
 */
function lamportsOf(
  swaps: readonly Swap[],
  received: readonly SystemMovement[],
  view: TransactionView,
): bigint {
  const places = new Set<string>();
  let lamports = 0n;
  for (const swap of swaps) {
    if (swap.venue === 'pump' && swap.side === 'buy') continue;
    lamports += swap.poolQuoteDelta + (swap.keptFees?.quote ?? 0n);
    if (swap.venue !== 'pump') places.add(placeOf(swap));
  }
  for (const movement of received) {
    const owner = view.ownerOfLeaf(movement.instruction);
    const isLeg = owner !== null && places.has(placeOf(owner));
    if (!isLeg || movement.kind === 'createAccount') lamports += movement.lamports;
  }
  return lamports;
}

function takeSweeps(
  events: ChainEvent[],
  contradicted: ReadonlyMap<ChainEvent, string>,
): ContradictedSweep[] {
  const kept = events.filter((event) => !contradicted.has(event));
  events.length = 0;
  for (const event of kept) events.push(event);
  return [...contradicted].map(([sweep, reason]) => ({ sweep: sweep as FeeSweep, reason }));
}

function placeOf({ outerIx, innerIx }: EventPosition): string {
  return `${outerIx}.${innerIx}`;
}
