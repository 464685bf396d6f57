import type { Firing } from '../../model/trigger.ts';
import type { Slot } from '../../model/units.ts';
import type { Fired } from './trigger-book.ts';

/** The identifying fields of a firing. A trigger revision fires at most once per slot. */
export type OpenFiring = Pick<Firing, 'accountId' | 'number' | 'triggerKey' | 'revision' | 'slot'> &
  Pick<Firing, 'triggerId'>;

/**
 * Firings of slots that are not final. When a slot is rolled back, its firings become unconfirmed.
 * They are confirmed if the slot returns and fires them again, and are retracted once the chain
 * has passed the slot without them. The same applies after a restart, which applies the tail again.
 */
export class OpenFirings {
  private readonly standing = new Map<string, OpenFiring>();
  private readonly unconfirmed = new Map<string, OpenFiring>();

  get size(): number {
    return this.standing.size + this.unconfirmed.size;
  }

  add(firing: OpenFiring): void {
    this.standing.set(nameOf(firing), firing);
  }

  /** Marks a firing from before a restart, or of a rolled-back slot, as unconfirmed. */
  markUnconfirmed(firing: OpenFiring): void {
    this.standing.delete(nameOf(firing));
    this.unconfirmed.set(nameOf(firing), firing);
  }

  /** Rolls back slots from `slot` on. Their firings that are no longer true become unconfirmed. */
  wentBack(slot: Slot, isTrue: (key: number, revision: number) => boolean): void {
    for (const firing of [...this.standing.values()]) {
      const { triggerKey, revision } = firing;
      if (firing.slot >= slot && !isTrue(triggerKey, revision)) this.markUnconfirmed(firing);
    }
  }

  /** Whether this firing was already emitted. An unconfirmed firing becomes confirmed. */
  confirm({ trigger }: Fired, slot: Slot): boolean {
    if (this.size === 0) return false;
    const name = nameOf({ triggerKey: trigger.key, revision: trigger.revision, slot });
    if (this.standing.has(name)) return true;
    const firing = this.unconfirmed.get(name);
    if (firing === undefined) return false;
    this.unconfirmed.delete(name);
    this.standing.set(name, firing);
    return true;
  }

  /** Removes and returns unconfirmed firings up to the slot that the chain reached, by number. */
  takeLost(slot: Slot): OpenFiring[] {
    const lost = [...this.unconfirmed.values()].filter((firing) => firing.slot <= slot);
    for (const firing of lost) this.unconfirmed.delete(nameOf(firing));
    return lost.sort((one, other) => one.number - other.number);
  }

  /** Removes firings of slots up to `slot`, which can no longer be rolled back. */
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
