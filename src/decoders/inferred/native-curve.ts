import type { ChainEvent, FeeSweep } from '../../model/chain-event.ts';
import type { EventPosition } from '../../model/event-position.ts';
import { type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import type { SystemMovement } from '../transaction/system-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Venues whose curves are backed by lamports of the account whose address is the pool's. */
const NATIVE_VENUES: ReadonlySet<Venue> = new Set(['pump', 'moonshot', 'boop']);

/** A fee payout that the curve's balance contradicts, and the reason. */
export interface ContradictedSweep {
  readonly sweep: FeeSweep;
  readonly reason: string;
}

/** Indexes of a curve's swaps and sweeps among the events of a transaction. */
interface CurveEvents {
  readonly swaps: number[];
  readonly sweeps: number[];
}

/**
 * Checks curves that hold native SOL. They may pay out by debiting their own lamports, which no
 * instruction shows. The SOL legs of a transaction's curve swaps, the fees they left on the curve
 * and the sweeps of such fees are therefore checked against the actual change of the curve account.
 * Lamports sent to the curve outside its swaps (rent) are counted separately. A contradiction
 * quarantines the swaps and removes the sweeps from `events`; the removed sweeps are returned.
 * Curves that keep wrapped SOL in a vault are checked by their transfers, and a curve emptied in
 * the same transaction has no balance left to check.
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
  return contradicted.size === 0 ? [] : removeSweeps(events, contradicted);
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
    if (wrapped.has(positionOf(event))) continue;
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
  const positions = new Set<string>();
  for (const { mint, instruction } of view.ledger.movements) {
    const owner = mint === WRAPPED_SOL ? view.ownerOfLeaf(instruction) : null;
    if (owner !== null) positions.add(positionOf(owner));
  }
  return positions;
}

/** A migration takes the curve's holdings, as does a completion that is not caused by a buy. */
function emptiedCurvesOf(events: readonly ChainEvent[]): ReadonlySet<string> {
  const swaps = new Set<string>();
  for (const event of events) if (event.kind === 'swap') swaps.add(positionOf(event));
  const emptied = new Set<string>();
  for (const event of events) {
    if (event.kind === 'migrate') emptied.add(event.fromPool);
    if (event.kind === 'curveComplete' && !swaps.has(positionOf(event))) emptied.add(event.pool);
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

/** Why the curve's lamports contradict its events; null when they agree or no balance is known. */
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
 * Lamports that swaps and system transfers added to the curve. Buys on pump are separate transfers
 * and are counted as transfers, including deposits for enlarging the account. On other venues a
 * swap's lamports may have moved without a transfer, so the swap is counted instead.
 */
function lamportsOf(
  swaps: readonly Swap[],
  received: readonly SystemMovement[],
  view: TransactionView,
): bigint {
  const positions = new Set<string>();
  let lamports = 0n;
  for (const swap of swaps) {
    if (swap.venue === 'pump' && swap.side === 'buy') continue;
    lamports += swap.poolQuoteDelta + (swap.keptFees?.quote ?? 0n);
    if (swap.venue !== 'pump') positions.add(positionOf(swap));
  }
  for (const movement of received) {
    const owner = view.ownerOfLeaf(movement.instruction);
    const isLeg = owner !== null && positions.has(positionOf(owner));
    if (!isLeg || movement.kind === 'createAccount') lamports += movement.lamports;
  }
  return lamports;
}

function removeSweeps(
  events: ChainEvent[],
  contradicted: ReadonlyMap<ChainEvent, string>,
): ContradictedSweep[] {
  const kept = events.filter((event) => !contradicted.has(event));
  events.length = 0;
  for (const event of kept) events.push(event);
  return [...contradicted].map(([sweep, reason]) => ({ sweep: sweep as FeeSweep, reason }));
}

function positionOf({ outerIx, innerIx }: EventPosition): string {
  return `${outerIx}.${innerIx}`;
}
