import type { TokenRecord } from '../model/token-record.ts';
import type { Address, RawAmount, Slot } from '../model/units.ts';

/** Maximum number of tokens tracked; those that changed longest ago are dropped. */
const TOKENS_MAX = 50_000;

/**
 * Detects tokens whose supply has changed since their last change. A token is tracked from its
 * first change or its creation; there is no comparison for a token seen for the first time.
 */
export class SupplyWatch {
  private readonly supplies = new Map<Address, RawAmount | null>();
  private readonly sizeMax: number;

  constructor(sizeMax = TOKENS_MAX) {
    this.sizeMax = sizeMax;
  }

  /**
   * Records tokens after a slot. Returns those whose supply changed, except those the slot created.
   */
  note(tokens: readonly TokenRecord[], slot: Slot): TokenRecord[] {
    return tokens.filter(({ mint, supplyRaw, creationSlot }) => {
      const before = this.supplies.get(mint);
      // Keeps the map ordered by last change.
      this.supplies.delete(mint);
      this.supplies.set(mint, supplyRaw);
      this.forgetOldest();
      return before !== undefined && before !== supplyRaw && creationSlot !== slot;
    });
  }

  /** A slot with these tokens was reverted; their supply before it is not known. */
  revert(tokens: readonly TokenRecord[]): void {
    for (const { mint } of tokens) this.supplies.delete(mint);
  }

  clear(): void {
    this.supplies.clear();
  }

  private forgetOldest(): void {
    if (this.supplies.size <= this.sizeMax) return;
    for (const mint of this.supplies.keys()) {
      this.supplies.delete(mint);
      return;
    }
  }
}
