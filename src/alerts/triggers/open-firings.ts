import type { Firing } from '../../model/trigger.ts';
import type { Slot } from '../../model/units.ts';
import type { Fired } from './trigger-book.ts';

/** What of a firing says which it is: of one revision of a trigger there is one a slot. */
export type OpenFiring = Pick<Firing, 'accountId' | 'number' | 'triggerKey' | 'revision' | 'slot'> &
  Pick<Firing, 'triggerId'>;

/**
 * Firings of slots that are not final. A slot that is taken back leaves its firings in doubt: they
 * are the same firings again if the slot comes back and fires them, and are retracted once the chain
 * has gone past it without. So it is after a restart too, where the tail is folded once more.
 */
export class OpenFirings {
  private readonly standing = new Map<string, OpenFiring>();
  private readonly doubted = new Map<string, OpenFiring>();

  get size(): number {
    return this.standing.size + this.doubted.size;
  }

  add(firing: OpenFiring): void {
    this.standing.set(nameOf(firing), firing);
  }

  /** From before a restart, or of a slot that was taken back. */
  doubt(firing: OpenFiring): void {
    this.standing.delete(nameOf(firing));
    this.doubted.set(nameOf(firing), firing);
  }

  /** Slots from `slot` on were taken back: firings that are not true without them are in doubt. */
  wentBack(slot: Slot, isTrue: (key: number, revision: number) => boolean): void {
    for (const firing of [...this.standing.values()]) {
      const { triggerKey, revision } = firing;
      if (firing.slot >= slot && !isTrue(triggerKey, revision)) this.doubt(firing);
    }
  }

  /** Whether what fires in a slot was told before. If the firing is in doubt, it stands again. */
  confirm({ trigger }: Fired, slot: Slot): boolean {
    if (this.size === 0) return false;
    const name = nameOf({ triggerKey: trigger.key, revision: trigger.revision, slot });
    if (this.standing.has(name)) return true;
    const firing = this.doubted.get(name);
    if (firing === undefined) return false;
    this.doubted.delete(name);
    this.standing.set(name, firing);
    return true;
  }

  /** The chain reached a slot: firings in doubt up to it did not come back. In order of number. */
  takeLost(slot: Slot): OpenFiring[] {
    const lost = [...this.doubted.values()].filter((firing) => firing.slot <= slot);
    for (const firing of lost) this.doubted.delete(nameOf(firing));
    return lost.sort((one, other) => one.number - other.number);
  }

  /** Slots up to `slot` are never taken back. */
  finalise(slot: number): void {
    for (const [name, firing] of this.standing) {
      if (firing.slot <= slot) this.standing.delete(name);
    }
  }
}

function nameOf({
  triggerKey,
  revision,
  slot,
}: Omit<OpenFiring, 'accountId' | 'number' | 'triggerId'>): string {
  return `${triggerKey}/${revision}/${slot}`;
}
