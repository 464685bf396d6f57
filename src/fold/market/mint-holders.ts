import { rowLayout } from '../../lib/row-layout.ts';

/** The holders of a mint. */
export const MINT_HOLDERS_LAYOUT = rowLayout({
  /** The number of the mint's address. */
  mint: 'u32',
  /** Rows of its owners, including those whose balance has become zero in this slot. */
  owners: 'u32',
  /** The root of the tree of owners with a balance above zero: its row plus one, 0 for none. */
  root: 'u32',
});

/** A balance below a billionth of the supply is dust (METHODS §1). */
const DUST_SHARE = 1_000_000_000n;

/** The minimum raw amount that counts as a holding; 1 if the supply is unknown. */
export function leastHolding(supplyRaw: bigint | null): bigint {
  const least = ((supplyRaw ?? 0n) + DUST_SHARE - 1n) / DUST_SHARE;
  return least > 1n ? least : 1n;
}
