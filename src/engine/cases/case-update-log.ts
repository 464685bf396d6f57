import type { CaseTrade } from '../../model/mint-case.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import type { CaseUpdate } from './case-update.ts';

/** Update of one mint that is still being collected. */
interface OpenUpdate {
  /** Null while there are none: most mints have no buyers of a kind in a slot. */
  buyers: Set<Address> | null;
  groupedBuyers: Set<Address> | null;
  trades: number;
  isLiquidityOut: boolean;
  soldRaw: bigint;
}

/** Collects the changes that one slot makes to cases. */
export class CaseUpdateLog {
  private readonly open = new Map<Address, OpenUpdate>();

  of(mint: Address): OpenUpdate {
    const known = this.open.get(mint);
    if (known !== undefined) return known;
    const update: OpenUpdate = {
      buyers: null,
      groupedBuyers: null,
      trades: 0,
      isLiquidityOut: false,
      soldRaw: 0n,
    };
    this.open.set(mint, update);
    return update;
  }

  noteTrade(mint: Address, { side, wallet, baseRaw, group }: CaseTrade): void {
    const update = this.of(mint);
    update.trades++;
    if (side === 'sell') update.soldRaw += baseRaw;
    else {
      update.buyers = (update.buyers ?? new Set()).add(wallet);
      if (group !== null) update.groupedBuyers = (update.groupedBuyers ?? new Set()).add(wallet);
    }
  }

  /** All updates, in the order in which their mints were first touched. */
  all(): CaseUpdate[] {
    return Array.from(this.open, ([mint, update]) => ({
      mint,
      trades: update.trades,
      buyers: update.buyers?.size ?? 0,
      soldRaw: asRawAmount(update.soldRaw),
      groupedBuyers: update.groupedBuyers?.size ?? 0,
      isLiquidityOut: update.isLiquidityOut,
    }));
  }
}
