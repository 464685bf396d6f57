import type { MintCase } from '../../model/mint-case.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';

/** Holdings of the mint before a slot, counted back from the balances at the end of the case. */
export interface Holdings {
  /** Balance of a wallet's own accounts before the slot; never negative. */
  readonly heldBefore: (wallet: Address, slot: number) => bigint;
  /** Same for a group of wallets as a whole, prepared for reading many slots. */
  readonly together: (wallets: Iterable<Address>) => (slot: number) => bigint;
  /** All wallets with a positive balance before the slot. */
  readonly allBefore: (slot: number) => ReadonlyMap<Address, RawAmount>;
}

interface Change {
  readonly slot: number;
  readonly amountRaw: bigint;
}

/** Cache: several detectors read the holdings of the same case. */
const holdingsOf = new WeakMap<MintCase, Holdings>();

/**
 * Holdings before any slot whose later trades, transfers and liquidity changes are all in the case.
 * Tokens kept by a locker or a pool are not counted.
 */
export function createHoldings(mintCase: MintCase): Holdings {
  const known = holdingsOf.get(mintCase) ?? readHoldings(mintCase);
  holdingsOf.set(mintCase, known);
  return known;
}

function readHoldings(mintCase: MintCase): Holdings {
  // Lazy: the holdings of most cases are never read.
  let read: ReadonlyMap<Address, readonly Change[]> | null = null;
  const changesBy = (wallet: Address): readonly Change[] => {
    read ??= changesOf(mintCase);
    return read.get(wallet) ?? [];
  };
  const balanceOf = (wallet: Address): bigint => mintCase.wallets.get(wallet)?.balanceRaw ?? 0n;
  const single = new Map<Address, readonly Change[]>();
  const sumsOf = (wallet: Address): readonly Change[] => {
    const known = single.get(wallet) ?? summedFromEnd(changesBy(wallet));
    single.set(wallet, known);
    return known;
  };
  const heldBefore = (wallet: Address, slot: number): bigint =>
    countBack(balanceOf(wallet), sumsOf(wallet), slot);
  return {
    heldBefore,
    together: (wallets) => {
      const group = [...new Set(wallets)];
      const balance = group.reduce((sum, wallet) => sum + balanceOf(wallet), 0n);
      const sums = summedFromEnd(group.flatMap(changesBy));
      return (slot) => countBack(balance, sums, slot);
    },
    allBefore: (slot) =>
      new Map(
        [...mintCase.wallets.keys()]
          .map((wallet) => [wallet, asRawAmount(heldBefore(wallet, slot))] as const)
          .filter(([, held]) => held > 0n),
      ),
  };
}

/** Changes with the last slot first, each with the sum of its own and all later changes. */
function summedFromEnd(changes: readonly Change[]): readonly Change[] {
  let amountRaw = 0n;
  return changes
    .toSorted((one, other) => other.slot - one.slot)
    .map((change) => {
      amountRaw += change.amountRaw;
      return { slot: change.slot, amountRaw };
    });
}

function countBack(balanceRaw: bigint, sums: readonly Change[], slot: number): bigint {
  const held = balanceRaw - changeSince(sums, slot);
  return held < 0n ? 0n : held;
}

function changesOf(mintCase: MintCase): ReadonlyMap<Address, readonly Change[]> {
  const changes = new Map<Address, Change[]>();
  const note = (wallet: Address, slot: number, amountRaw: bigint): void => {
    const known = changes.get(wallet);
    if (known === undefined) changes.set(wallet, [{ slot, amountRaw }]);
    else known.push({ slot, amountRaw });
  };
  for (const { wallet, slot, side, baseRaw } of mintCase.trades) {
    note(wallet, slot, side === 'buy' ? baseRaw : 0n - baseRaw);
  }
  for (const { from, to, slot, amountRaw } of mintCase.transfers) {
    note(from, slot, 0n - amountRaw);
    note(to, slot, amountRaw);
  }
  for (const { provider, slot, baseRaw } of mintCase.liquidity) note(provider, slot, 0n - baseRaw);
  return changes;
}

/** Sum of changes in the slot and later. */
function changeSince(sums: readonly Change[], slot: number): bigint {
  let [low, high] = [0, sums.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle]?.slot ?? -1) >= slot) low = middle + 1;
    else high = middle;
  }
  return sums[low - 1]?.amountRaw ?? 0n;
}
