import { areOfCrossing, isOnHits, type StoredTrigger } from '../../model/trigger.ts';
import type { KnownTruth } from '../../model/trigger-turn.ts';
import type { OpenFiring } from './open-firings.ts';

/** The state at process start that is needed to evaluate triggers. */
export interface Start {
  /** The newest stored slot. */
  readonly slot: number;
  /** The stored trigger values, by key. */
  readonly known: ReadonlyMap<number, KnownTruth>;
  readonly triggerOf: (key: number) => StoredTrigger | null;
  readonly isTrue: (key: number) => boolean;
  /** The slot that last changed a trigger's target; null if its pool was never seen. */
  readonly changedSlot: (trigger: StoredTrigger) => number | null;
}

/** Firings that were emitted before their slots were stored. */
export interface StartingFirings {
  /** Of slots that are not stored; true also without these slots. */
  readonly standing: OpenFiring[];
  /** Of slots that are not stored and may be applied again. */
  readonly unconfirmed: OpenFiring[];
  /** Of slots on an abandoned fork. */
  readonly lost: OpenFiring[];
  /** Keys of triggers whose current true state is already covered by one of these firings. */
  readonly covered: Set<number>;
}

/**
 * Classifies the effective firings, given oldest first, by the state found at start. A turn is
 * stored before its slot. Therefore a firing of a slot after its trigger's last stored turn was
 * emitted before the process ended, for a slot that this process had not stored. Another process
 * may since have stored that slot, or a slot of another fork.
 */
export function sortStartingFirings(firings: Iterable<OpenFiring>, start: Start): StartingFirings {
  const sorted: StartingFirings = { standing: [], unconfirmed: [], lost: [], covered: new Set() };
  const seen = new Set<string>();
  for (const firing of firings) {
    const name = `${firing.triggerKey}/${firing.revision}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    if (firing.slot > start.slot) sortUnstored(firing, isFirst, start, sorted);
    else sortStored(firing, isFirst, start, sorted);
  }
  return sorted;
}

/** The slot will be applied again, or a slot of another fork instead. */
function sortUnstored(
  firing: OpenFiring,
  isFirst: boolean,
  start: Start,
  { standing, unconfirmed, covered }: StartingFirings,
): void {
  const { triggerKey: key } = firing;
  const trigger = triggerIn(firing, start);
  const isTrue = trigger !== null && start.isTrue(key);
  // If the trigger was true before this slot, it has an earlier firing, unless this firing comes
  // from adding the trigger.
  const isOfAddition = isFirst && mayFireWhenAdded(trigger);
  if (isTrue && (isOfAddition || start.known.get(key)?.isTrue === false)) {
    covered.add(key);
    standing.push(firing);
  } else unconfirmed.push(firing);
}

/** The target shows whether the slot made the trigger true, unless a later slot changed it. */
function sortStored(
  firing: OpenFiring,
  isFirst: boolean,
  start: Start,
  { lost, covered }: StartingFirings,
): void {
  const { triggerKey: key, slot } = firing;
  const trigger = triggerIn(firing, start);
  const last = start.known.get(key);
  if (trigger === null || last === undefined || slot <= last.slot) return;
  // What a stored slot had as hits is not known here, and nothing turns after it.
  if (isOnHits(trigger)) return;
  const isTrue = start.isTrue(key);
  const changedAt = start.changedSlot(trigger) ?? -1;
  if (changedAt > slot || (changedAt === slot && isTrue)) covered.add(key);
  else if (!(isTrue && isFirst && last.isTrue && mayFireWhenAdded(trigger))) lost.push(firing);
}

/** What is known of a trigger that cannot be evaluated at the start. */
export interface Before {
  readonly known: ReadonlyMap<number, KnownTruth>;
  readonly triggerOf: Start['triggerOf'];
}

/**
 * Keys of the triggers that were true when the process ended, as far as it is stored: their last
 * stored turn was to true, or they fired after it. Firings are given oldest first.
 */
export function truthsBefore(firings: Iterable<OpenFiring>, before: Before): Set<number> {
  const isTrue = new Set<number>();
  for (const [key, last] of before.known) if (last.isTrue) isTrue.add(key);
  for (const firing of firings) {
    const last = before.known.get(firing.triggerKey);
    if (triggerIn(firing, before) === null || last === undefined) continue;
    if (firing.slot > last.slot) isTrue.add(firing.triggerKey);
  }
  return isTrue;
}

function mayFireWhenAdded(trigger: StoredTrigger | null): boolean {
  return trigger !== null && !areOfCrossing(trigger.conditions);
}

/** The trigger of a firing, if its conditions are unchanged. */
function triggerIn({ triggerKey, revision }: OpenFiring, { triggerOf }: Pick<Start, 'triggerOf'>) {
  const trigger = triggerOf(triggerKey);
  return trigger?.revision === revision ? trigger : null;
}
