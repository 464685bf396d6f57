import { ADDRESS_REGISTRY, type AddressClass } from '../../src/model/address-registry.ts';
import type { SolTransfer } from '../../src/model/chain-event.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';

export interface NaivePayment {
  readonly funder: Address;
  readonly lamports: bigint;
  readonly slot: number;
  readonly timeMs: number;
}

/** Owners and mints that a fee payer paid for since its count began. */
interface NaiveWeek {
  readonly sinceMs: number;
  readonly owners: Set<Address>;
  readonly mints: Set<Address>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOBODY: ReadonlySet<AddressClass> = new Set([
  ...(['burn', 'pool', 'locker', 'launchpad', 'router'] as const),
  ...(['tip', 'protocol_fee', 'terminal_fee'] as const),
]);
const SHARED: ReadonlySet<AddressClass> = new Set(['cex', 'bridge', 'sponsor']);

/** First payments, and payers without meaning (METHODS §0.5, §7.1), from lists. */
export class NaiveFunding {
  private readonly firsts = new Map<Address, NaivePayment>();
  private readonly traders = new Set<Address>();
  private readonly payments = new Map<Address, Map<Address, number>>();
  private readonly lifetimes = new Map<Address, Set<Address>>();
  private readonly hubs = new Set<Address>();
  private readonly sponsors = new Set<Address>();
  private readonly weeks = new Map<Address, NaiveWeek>();
  private readonly venueHours = new Map<string, { swaps: number; paid: Map<Address, number> }>();
  private readonly feeAccounts = new Set<Address>();

  pay(
    { from, to, lamports }: SolTransfer,
    { slot, timeMs }: { readonly slot: number; readonly timeMs: number },
  ): void {
    if (lamports < 2_000_000n || from === to) return;
    for (const one of [from, to]) {
      if (this.feeAccounts.has(one) || ADDRESS_REGISTRY.isAnyOf(one, NOBODY)) return;
    }
    const paid = this.payments.get(from) ?? new Map<Address, number>();
    const ever = this.lifetimes.get(from) ?? new Set<Address>();
    this.payments.set(from, paid.set(to, timeMs));
    this.lifetimes.set(from, ever.add(to));
    const lately = [...paid.values()].filter((paidMs) => paidMs > timeMs - DAY_MS).length;
    if (lately > 200 || ever.size > 1_000) this.hubs.add(from);
    if (!this.firsts.has(to)) this.firsts.set(to, { funder: from, lamports, slot, timeMs });
  }

  noteTrade(payer: Address, owner: Address, mint: Address, timeMs: number): void {
    if (this.firsts.has(owner)) this.traders.add(owner);
    if (payer === owner) return;
    const known = this.weeks.get(payer);
    const isRunning = known !== undefined && timeMs - known.sinceMs < 7 * DAY_MS;
    const week: NaiveWeek = isRunning
      ? known
      : { sinceMs: timeMs, owners: new Set(), mints: new Set() };
    this.weeks.set(payer, week);
    week.owners.add(owner);
    week.mints.add(mint);
    if (week.owners.size >= 50 && week.mints.size >= 10) this.sponsors.add(payer);
  }

  /**
   * It was paid by more than 3 of 10 of a venue's transactions of an hour, of at least a hundred.
   */
  noteFees(
    { events }: TransactionFacts,
    swaps: readonly Swap[],
    pools: ReadonlyMap<Address, unknown>,
    { timeMs }: { readonly timeMs: number },
  ): void {
    const paid = events.flatMap((event) =>
      event.kind === 'solTransfer' && event.transferKind === 'transfer' && !pools.has(event.to)
        ? event.to
        : [],
    );
    for (const venue of new Set(swaps.map((swap) => swap.venue))) {
      const key = `${venue} ${Math.floor(timeMs / HOUR_MS)}`;
      const hour = this.venueHours.get(key) ?? { swaps: 0, paid: new Map<Address, number>() };
      this.venueHours.set(key, hour);
      hour.swaps++;
      for (const account of new Set(paid)) {
        const count = (hour.paid.get(account) ?? 0) + 1;
        hour.paid.set(account, count);
        if (hour.swaps >= 100 && count * 10 > hour.swaps * 3) this.feeAccounts.add(account);
      }
    }
  }

  /** Wallets that were funded and did not trade within two days. */
  forget(nowMs: number): void {
    for (const [wallet, { timeMs }] of this.firsts) {
      if (nowMs - timeMs <= 2 * DAY_MS || this.traders.has(wallet)) continue;
      this.firsts.delete(wallet);
    }
  }

  firstOf(wallet: Address): NaivePayment | null {
    return this.firsts.get(wallet) ?? null;
  }

  clusterOf(wallet: Address): Address {
    const funder = this.firsts.get(wallet)?.funder;
    if (funder === undefined || ADDRESS_REGISTRY.isAnyOf(funder, SHARED)) return wallet;
    return this.hubs.has(funder) || this.sponsors.has(funder) ? wallet : funder;
  }
}
