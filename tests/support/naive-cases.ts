import type { LogBound } from '../../src/fraud/cases/bounded-logs.ts';
import type { CaseBounds, CaseCounts } from '../../src/fraud/cases/case-bounds.ts';
import type { EscrowLock } from '../../src/fraud/cases/entry-rows.ts';
import type {
  CaseLiquidity,
  CasePayment,
  CaseTrade,
  CaseTransfer,
} from '../../src/model/mint-case.ts';
import type { Address } from '../../src/model/units.ts';

/** One event for the book of cases. */
export type CaseEvent =
  | { readonly kind: 'trade'; readonly mint: Address; readonly entry: CaseTrade }
  | { readonly kind: 'transfer'; readonly mint: Address; readonly entry: CaseTransfer }
  | { readonly kind: 'liquidity'; readonly mint: Address; readonly entry: CaseLiquidity }
  | { readonly kind: 'lock'; readonly mint: Address; readonly entry: EscrowLock }
  | { readonly kind: 'payment'; readonly entry: CasePayment }
  | { readonly kind: 'forget'; readonly timeMs: number };

type MintEvent = Extract<CaseEvent, { readonly mint: Address }>;

interface NaiveMint {
  readonly mint: Address;
  readonly events: readonly MintEvent[];
}

interface NaiveWallet {
  readonly wallet: Address;
  readonly payments: readonly CasePayment[];
}

const WEEK_MS = 7 * 86_400_000;
const CUT = {
  trade: 'tradesCut',
  transfer: 'transfersCut',
  liquidity: 'liquidityCut',
  lock: 'locksCut',
} as const;

/**
 * The expected content of a book of cases, from complete lists: all events of a mint, cut on
 * reading.
 */
export class NaiveCases {
  readonly counts: Partial<Record<keyof CaseCounts, number>> = {};
  private readonly bounds: CaseBounds;
  /** By last trade, or by first appearance; the oldest first. */
  private mints: NaiveMint[] = [];
  /** By last payment. */
  private wallets: NaiveWallet[] = [];
  private paid: readonly CasePayment[] = [];

  constructor(bounds: CaseBounds) {
    this.bounds = bounds;
  }

  apply(event: CaseEvent): void {
    if (event.kind === 'forget') this.forgetIdle(event.timeMs);
    else if (event.kind === 'payment') this.applyPayment(event.entry);
    else this.applyToMint(event);
  }

  of(mint: Address, kind: MintEvent['kind']): unknown[] {
    const events = this.mints.find((known) => known.mint === mint)?.events ?? [];
    const entries = events.filter((event) => event.kind === kind).map(({ entry }) => entry);
    return bounded(entries, this.boundOf(kind));
  }

  payments(wallets: readonly Address[]): CasePayment[] {
    const kept = new Set<CasePayment>();
    for (const { wallet, payments } of this.wallets) {
      if (!wallets.includes(wallet)) continue;
      const paid = payments.filter(({ from }) => from === wallet);
      const received = payments.filter(({ to }) => to === wallet);
      for (const list of [paid, received]) {
        for (const payment of bounded(list, this.bounds.payments)) kept.add(payment);
      }
    }
    return this.paid.filter((payment) => kept.has(payment));
  }

  private applyToMint(event: MintEvent): void {
    this.forgetIdle(event.entry.timeMs, event.mint);
    const known = this.mints.find(({ mint }) => mint === event.mint);
    const changed = { mint: event.mint, events: [...(known?.events ?? []), event] };
    const same = changed.events.filter(({ kind }) => kind === event.kind);
    if (same.length > sizeOf(this.boundOf(event.kind))) this.count(CUT[event.kind]);
    if (known === undefined || event.kind === 'trade') {
      this.mints = [...this.mints.filter((mint) => mint !== known), changed];
    } else {
      this.mints = this.mints.map((mint) => (mint === known ? changed : mint));
    }
  }

  private forgetIdle(timeMs: number, only: Address | null = null): void {
    this.mints = this.mints.filter((mint) => {
      const trades = mint.events.filter(({ kind }) => kind === 'trade');
      const last = trades.at(-1) ?? mint.events[0];
      const isKept = last === undefined || timeMs <= last.entry.timeMs + WEEK_MS;
      if (isKept || (only !== null && mint.mint !== only)) return true;
      this.count('mintsForgotten');
      return false;
    });
  }

  private applyPayment(payment: CasePayment): void {
    this.paid = [...this.paid, payment];
    for (const wallet of new Set([payment.from, payment.to])) {
      const known = this.wallets.find((one) => one.wallet === wallet);
      const payments = [...(known?.payments ?? []), payment];
      const room = sizeOf(this.bounds.payments);
      const paid = payments.filter(({ from }) => from === wallet).length;
      const received = payments.filter(({ to }) => to === wallet).length;
      if (payment.from === wallet && paid > room) this.count('paymentsCut');
      if (payment.to === wallet && received > room) this.count('paymentsCut');
      this.wallets = [...this.wallets.filter((one) => one !== known), { wallet, payments }];
    }
  }

  private boundOf(kind: MintEvent['kind']): LogBound {
    if (kind === 'trade') return this.bounds.trades;
    if (kind === 'transfer') return this.bounds.transfers;
    return kind === 'liquidity' ? this.bounds.liquidity : this.bounds.locks;
  }

  private count(name: keyof CaseCounts): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function sizeOf({ first, newest }: LogBound): number {
  return first + newest;
}

function bounded<T>(entries: readonly T[], bound: LogBound): T[] {
  if (entries.length <= sizeOf(bound)) return [...entries];
  return [...entries.slice(0, bound.first), ...entries.slice(-bound.newest)];
}
