import { METAPLEX_METADATA_PROGRAM } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import type { Account, Ledger } from '../../chain/ledger.ts';
import type { ChainStep } from '../../market/world.ts';

interface Version {
  readonly slot: number;
  readonly isCanonical: boolean;
  readonly account: Account;
}

/** Number of versions kept of each account before those no longer requestable are dropped. */
const VERSIONS_MIN = 8;

/**
 * The versions of each mint and metadata account for all slots that can still be requested. The
 * ledger itself only has the newest block.
 */
export class AccountHistory {
  private readonly ledger: Ledger;
  private readonly versions = new Map<Address, Version[]>();

  /** Starts with the accounts that already exist. */
  constructor(ledger: Ledger) {
    this.ledger = ledger;
    for (const [address, account] of ledger.entries()) {
      if (!isKept(account)) continue;
      this.versions.set(address, [{ slot: 0, isCanonical: true, account }]);
    }
  }

  /** Call after each block, before the next one. No view is older than `oldestSlot`. */
  observe({ block, isCanonical }: ChainStep, oldestSlot: number): void {
    for (const { isVote, staticKeys, loadedWritable } of block.transactions) {
      if (isVote) continue;
      for (const key of staticKeys) this.note(key, block.slot, isCanonical, oldestSlot);
      for (const key of loadedWritable) this.note(key, block.slot, isCanonical, oldestSlot);
    }
  }

  private note(key: Address, slot: number, isCanonical: boolean, oldestSlot: number): void {
    const account = this.ledger.get(key);
    if (!isKept(account)) return;
    const known = this.versions.get(key) ?? [];
    if (known.length === 0) this.versions.set(key, known);
    const last = known.at(-1);
    if (last?.account === account && last.isCanonical) return;
    known.push({ slot, isCanonical, account });
    if (known.length > VERSIONS_MIN) this.forget(known, oldestSlot);
  }

  private forget(known: Version[], oldestSlot: number): void {
    const base = known.findLastIndex(({ slot, isCanonical }) => isCanonical && slot <= oldestSlot);
    const kept = known.filter(
      ({ slot, isCanonical }, index) =>
        index === base || (slot > oldestSlot && (isCanonical || index > base)),
    );
    known.splice(0, known.length, ...kept);
  }

  /** The account after the blocks of `isShown` up to a slot; null if it did not exist yet. */
  at(address: Address, slot: number, isShown: (slot: number) => boolean): Account | null {
    const version = this.versions
      .get(address)
      ?.findLast((known) => known.slot <= slot && (known.isCanonical || isShown(known.slot)));
    return version?.account ?? null;
  }
}

function isKept({ mint, program }: Account): boolean {
  return mint !== null || program === METAPLEX_METADATA_PROGRAM;
}
