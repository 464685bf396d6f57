import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

/** A sponsor pays for this many owners, in this many mints, within a week (METHODS §0.5). */
export const SPONSORED_OWNERS = 50;
export const SPONSORED_MINTS = 10;
const WEEK_MS = 7 * 86_400_000;

/** The owners and mints that a fee payer paid for since `sinceMs`; each count lasts one week. */
export interface Sponsorship {
  sinceMs: number;
  readonly owners: Set<number>;
  readonly mints: Set<number>;
}

/**
 * Detects fee payers that pay for many unrelated owners: relays and terminals. A common payer of
 * this kind links nothing. Weeks are consecutive, counted from a payer's first payment; a sponsor
 * stays one.
 */
export class SponsorWatch {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly counts = new Map<number, Sponsorship>();
  private readonly sponsors = new Set<number>();

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.undo = undo;
    this.ids = ids;
  }

  note(payer: Address, owner: Address, mint: Address, timeMs: number): void {
    const id = this.ids.idOf(payer);
    if (this.sponsors.has(id)) return;
    const count = this.countOf(id, timeMs);
    this.add(count.owners, this.ids.idOf(owner), SPONSORED_OWNERS);
    this.add(count.mints, this.ids.idOf(mint), SPONSORED_MINTS);
    if (count.owners.size < SPONSORED_OWNERS || count.mints.size < SPONSORED_MINTS) return;
    this.undo.map(this.counts, id);
    this.counts.delete(id);
    this.undo.set(this.sponsors, id);
    this.sponsors.add(id);
  }

  /** `id` is the id of an address. */
  has(id: number): boolean {
    return this.sponsors.has(id);
  }

  *digestRows(): Iterable<string> {
    const lines: string[] = [];
    for (const id of this.sponsors) lines.push(`sponsor ${this.ids.addressOf(id)}`);
    for (const [id, { sinceMs, owners, mints }] of this.counts) {
      const sizes = `${owners.size} ${mints.size}`;
      lines.push(`sponsorship ${this.ids.addressOf(id)} ${sinceMs} ${sizes}`);
    }
    yield* lines.sort();
  }

  private countOf(payer: number, timeMs: number): Sponsorship {
    const known = this.counts.get(payer);
    if (known !== undefined && timeMs - known.sinceMs < WEEK_MS) return known;
    const count = { sinceMs: timeMs, owners: new Set<number>(), mints: new Set<number>() };
    this.undo.map(this.counts, payer);
    this.counts.set(payer, count);
    return count;
  }

  private add(members: Set<number>, member: number, max: number): void {
    if (members.size >= max || members.has(member)) return;
    this.undo.set(members, member);
    members.add(member);
  }
}
