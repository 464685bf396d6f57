import type { StateDigest } from '../model/state-digest.ts';
import type { Slot } from '../model/units.ts';

/** Places of each kind: of checkpoints, which begin every 120 slots, those of more than an hour. */
const PLACES = 96;

/**
 * The last digests of one fold, so that services that are at different slots can be compared. Those
 * of checkpoints have places of their own: services and data folders have them in common, and a
 * checkpoint is stored only when many others may have been asked for.
 */
export class RecentDigests {
  private readonly requested: StateDigest[] = [];
  private readonly ofCheckpoints: StateDigest[] = [];

  /** The one of the newest slot; null if there is none. */
  get newest(): StateDigest | null {
    const requested = this.requested.at(-1) ?? null;
    const ofCheckpoint = this.ofCheckpoints.at(-1) ?? null;
    if (requested === null || ofCheckpoint === null) return requested ?? ofCheckpoint;
    return requested.slot > ofCheckpoint.slot ? requested : ofCheckpoint;
  }

  /** Both kinds, each slot once. */
  get newestFirst(): readonly StateDigest[] {
    const { requested, ofCheckpoints } = this;
    return [...requested, ...ofCheckpoints].sort((one, other) => other.slot - one.slot);
  }

  /** Adds the digest of the newest slot. */
  add(digest: StateDigest): void {
    if (this.newest?.slot !== digest.slot) addTo(this.requested, digest);
  }

  /** Adds the digest of the newest slot, at which a checkpoint begins. */
  addOfCheckpoint(digest: StateDigest): void {
    if (this.requested.at(-1)?.slot === digest.slot) this.requested.pop();
    if (this.newest?.slot !== digest.slot) addTo(this.ofCheckpoints, digest);
  }

  /** Removes those that contain a slot that is reverted. */
  revert(slot: Slot): void {
    for (const digests of [this.requested, this.ofCheckpoints]) {
      while ((digests.at(-1)?.slot ?? -1) >= slot) digests.pop();
    }
  }
}

function addTo(digests: StateDigest[], digest: StateDigest): void {
  digests.push(digest);
  if (digests.length > PLACES) digests.shift();
}
