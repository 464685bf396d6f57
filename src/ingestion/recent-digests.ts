import type { StateDigest } from '../model/state-digest.ts';
import type { Slot } from '../model/units.ts';

const RECENT_MAX = 96;

/** The last digests of one fold, so that services that are at different slots can be compared. */
export class RecentDigests {
  private readonly digests: StateDigest[] = [];

  /** The one of the newest slot; null if there is none. */
  get newest(): StateDigest | null {
    return this.digests.at(-1) ?? null;
  }

  get newestFirst(): readonly StateDigest[] {
    return this.digests.toReversed();
  }

  /** Adds a digest of a later slot. */
  add(digest: StateDigest): void {
    this.digests.push(digest);
    if (this.digests.length > RECENT_MAX) this.digests.shift();
  }

  /** Removes those that contain a slot that is reverted. */
  revert(slot: Slot): void {
    while ((this.digests.at(-1)?.slot ?? -1) >= slot) this.digests.pop();
  }
}
