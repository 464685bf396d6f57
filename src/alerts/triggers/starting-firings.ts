import type { StoredTrigger } from '../../model/trigger.ts';
import type { KnownTruth } from '../../model/trigger-turn.ts';
import type { OpenFiring } from './open-firings.ts';

/** A start, as far as triggers are judged by it. */
export interface Start {
  /** The newest slot that is stored. */
  readonly slot: number;
  /** What was kept of slots that are stored, by key. */
  readonly known: ReadonlyMap<number, KnownTruth>;
  readonly triggerOf: (key: number) => StoredTrigger | null;
  readonly isTrue: (key: number) => boolean;
  /** The slot that made a trigger's pool what it is; null while it was never seen. */
  readonly poolSlot: (trigger: StoredTrigger) => number | null;
}

/** Firings that were told ahead of the store. */
export interface StartingFirings {
  /** Of slots that are not stored, and true without them. */
  readonly standing: OpenFiring[];
  /** Of slots that are not stored, and may come again. */
  readonly doubted: OpenFiring[];
  /** Of slots that turned out to be of a branch that lost. */
  readonly lost: OpenFiring[];
  /** Keys of triggers whose being true now they tell of. */
  readonly told: Set<number>;
}

/**
 * Sorts firings that count, oldest first, by what a start finds. A turn is kept before its slot is
 * stored: a firing of a later slot than its trigger is known to have turned with was told before the
 * process ended, of a slot that was not stored by it. Others may have stored that slot since, or
 * another branch.
 */
export function sortStartingFirings(firings: Iterable<OpenFiring>, start: Start): StartingFirings {
  const sorted: StartingFirings = { standing: [], doubted: [], lost: [], told: new Set() };
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

/** The slot comes again, or another branch does. */
function sortUnstored(
  firing: OpenFiring,
  isFirst: boolean,
  start: Start,
  { standing, doubted, told }: StartingFirings,
): void {
  const { triggerKey: key } = firing;
  const isTrue = triggerIn(firing, start) !== null && start.isTrue(key);
  // Of what was true before it there is an earlier firing, if it did not tell of an addition.
  if (isTrue && (isFirst || start.known.get(key)?.isTrue === false)) {
    told.add(key);
    standing.push(firing);
  } else doubted.push(firing);
}

/** Whether the slot made the trigger true is seen from its pool, if no later slot changed that. */
function sortStored(
  firing: OpenFiring,
  isFirst: boolean,
  start: Start,
  { lost, told }: StartingFirings,
): void {
  const { triggerKey: key, slot } = firing;
  const trigger = triggerIn(firing, start);
  const last = start.known.get(key);
  if (trigger === null || last === undefined || slot <= last.slot) return;
  const isTrue = start.isTrue(key);
  const changedAt = start.poolSlot(trigger) ?? -1;
  if (changedAt > slot || (changedAt === slot && isTrue)) told.add(key);
  else if (!(isTrue && isFirst && last.isTrue)) lost.push(firing);
}

/** The trigger of a firing, if its conditions are the same still. */
function triggerIn({ triggerKey, revision }: OpenFiring, { triggerOf }: Start) {
  const trigger = triggerOf(triggerKey);
  return trigger?.revision === revision ? trigger : null;
}
