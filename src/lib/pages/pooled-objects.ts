import type { AgeCounts } from './age-counts.ts';

/** The objects of a map (object-map.ts), as the pool settles, evicts and stores them. */
export interface PooledObjects {
  /** Brings the hashes of all changed objects up to date. */
  settle(): void;
  /** The same before a checkpoint begins; stores what it encodes as of that checkpoint. */
  settleForCheckpoint(): void;
  /** The same for a few of those that are not in use any more. Call once a slot. */
  settleIdle(): void;
  /**
   * The same for those that the last slot did not use, so that most are settled when a checkpoint
   * begins after so many slots.
   */
  settleAhead(slotsLeft: number): void;
  /** Approximate bytes of memory by age in ticks. */
  addAges(ages: AgeCounts): void;
  /**
   * Removes from memory some of what was last used before `tick`, as far as no undo needs it: up to
   * `count` objects, and twice as many as came into memory since the last call.
   */
  evictBefore(tick: number, count: number): void;
  /** Numbers of the objects that changed since they were stored. */
  dirtyIds(): number[];
  /** Stores an object as of the open checkpoint, unless that happened already. */
  writeAsOf(id: number): void;
}
