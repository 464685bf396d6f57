import type { Side } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';

interface MintSides {
  readonly mint: Address;
  buys: number;
  sells: number;
  readonly next: MintSides | null;
}

/**
 * The buys and sales of each wallet in one slot, to detect same-slot pairs. It is empty between
 * slots, so it needs no undo.
 */
export class SlotSides {
  private slot: Slot | null = null;
  private readonly wallets = new Map<number, MintSides>();

  /** Counts a trade. Returns true when it forms a pair with a trade of the other side. */
  applyTrade(
    wallet: number,
    { slot, mint, side }: { readonly slot: Slot; readonly mint: Address; readonly side: Side },
  ): boolean {
    if (slot !== this.slot) this.clear();
    this.slot = slot;
    const first = this.wallets.get(wallet) ?? null;
    let sides = first;
    while (sides !== null && sides.mint !== mint) sides = sides.next;
    if (sides === null) {
      sides = { mint, buys: 0, sells: 0, next: first };
      this.wallets.set(wallet, sides);
    }
    const pairs = Math.min(sides.buys, sides.sells);
    if (side === 'buy') sides.buys++;
    else sides.sells++;
    return Math.min(sides.buys, sides.sells) > pairs;
  }

  clear(): void {
    this.wallets.clear();
    this.slot = null;
  }
}
