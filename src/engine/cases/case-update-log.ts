import type { CaseTrade } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseUpdate } from './case-update.ts';

/** What one mint has of news so far. */
interface OpenUpdate {
  /** Null for nobody: most mints have no buyers of a kind in a slot. */
  buyers: Set<Address> | null;
  groupedBuyers: Set<Address> | null;
  trades: number;
  isLiquidityOut: boolean;
  soldRaw: bigint;
}

/** Collects what one slot adds to cases. */
export class CaseUpdateLog {
  private readonly open = new Map<Address, OpenUpdate>();

  of(mint: Address): OpenUpdate {
    const known = this.open.get(mint);
    if (known !== undefined) return known;
    const updates: OpenUpdate = {
      buyers: null,
      groupedBuyers: null,
      trades: 0,
      isLiquidityOut: false,
      soldRaw: 0n,
    };
    this.open.set(mint, updates);
    return updates;
  }

  noteTrade(mint: Address, { side, wallet, baseRaw, group }: CaseTrade): void {
    const updates = this.of(mint);
    updates.trades++;
    if (side === 'sell') updates.soldRaw += baseRaw;
    else {
      updates.buyers = (updates.buyers ?? new Set()).add(wallet);
      if (group !== null) updates.groupedBuyers = (updates.groupedBuyers ?? new Set()).add(wallet);
    }
  }

  /** In order of first touch. */
  all(): CaseUpdate[] {
    return Array.from(this.open, ([mint, updates]) => ({
      mint,
      trades: updates.trades,
      buyers: updates.buyers?.size ?? 0,
      soldRaw: updates.soldRaw as RawAmount,
      groupedBuyers: updates.groupedBuyers?.size ?? 0,
      isLiquidityOut: updates.isLiquidityOut,
    }));
  }
}
