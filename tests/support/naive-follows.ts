import type { Address } from '../../src/model/units.ts';

interface FirstBuy {
  readonly mint: Address;
  readonly wallet: Address;
  readonly slot: number;
}

/** Which first purchases were copied, computed from the list of all of them. */
export class NaiveFollows {
  private readonly copied = new Set<string>();
  private readonly all: FirstBuy[] = [];
  /**
   * By wallet, counts of the wallets that bought before it, as a Misra-Gries summary keeps them.
   */
  private readonly counters = new Map<Address, Map<Address, number>>();

  firstBuy(buy: FirstBuy): void {
    const { mint, wallet, slot } = buy;
    const before = this.all
      .filter((other) => other.mint === mint && other.wallet !== wallet)
      .filter((other) => slot - other.slot >= 1 && slot - other.slot <= 5)
      .map((other) => other.wallet);
    this.all.push(buy);
    const counters = this.counters.get(wallet) ?? new Map<Address, number>();
    this.counters.set(wallet, counters);
    const nearest = [...new Set(before.reverse())].slice(0, 16);
    if (nearest.some((leader) => (counters.get(leader) ?? 0) >= 3)) {
      this.copied.add(`${mint} ${wallet}`);
    }
    for (const leader of nearest) count(counters, leader);
  }

  isCopied(mint: Address, wallet: Address): boolean {
    return this.copied.has(`${mint} ${wallet}`);
  }

  get copiedCount(): number {
    return this.copied.size;
  }
}

function count(counters: Map<Address, number>, leader: Address): void {
  const known = counters.get(leader);
  if (known !== undefined || counters.size < 16) {
    counters.set(leader, Math.min(255, (known ?? 0) + 1));
    return;
  }
  for (const [other, mints] of [...counters]) {
    if (mints === 1) counters.delete(other);
    else counters.set(other, mints - 1);
  }
}
