import { KNOWN_PROGRAMS } from '../../src/engine/books/wallet-books.ts';
import { FundingBook } from '../../src/fold/funding/funding-book.ts';
import { AddressIds } from '../../src/lib/address-ids.ts';
import { ADDRESS_REGISTRY } from '../../src/model/address-registry.ts';
import type {
  CaseClass,
  CaseFunding,
  CasePayment,
  CaseWallet,
  CoTrade,
  MintCase,
  TransactionRef,
} from '../../src/model/mint-case.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address, Lamports, RawAmount, Signature, Slot } from '../../src/model/units.ts';
import { type PlacedTogether, tradeKey } from './naive-groups.ts';

/** The parts of a case without the wallets in it. */
export interface CaseLists extends Pick<MintCase, 'trades' | 'transfers' | 'liquidity' | 'locks'> {
  readonly creator: Address | null;
}

interface Now {
  readonly timeMs: number;
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** A swap of any mint, and whether it was grouped. */
interface AnyTrade extends TransactionRef {
  readonly mint: Address;
  readonly wallet: Address;
  readonly side: Swap['side'];
  readonly isGrouped: boolean;
  readonly isAtOnce: boolean;
}

interface Launched extends TransactionRef {
  readonly mint: Address;
  readonly creator: Address;
}

interface Reading {
  readonly groups: ReadonlyMap<string, PlacedTogether>;
  readonly isWallet: (owner: Address) => boolean;
}

const PAYMENT_LAMPORTS_MIN = 2_000_000n;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A launch is sniped within this many slots of its own. */
const SNIPE_SLOTS = 2;
const SHELL = { transactionsMax: 3, passedPercentMin: 95n, withinMs: DAY_MS } as const;
/** Payments are followed this far downstream of traders, wallets this far upstream. */
const STEPS_MAX = 4;
const FUNDINGS_MAX = 4;

/** Payments and trades of all wallets over all mints, in lists that only grow. */
export class NaivePeople {
  readonly pools = new Set<Address>();
  readonly programUsers = new Map<Address, Set<Address>>();
  private readonly mint: Address;
  private readonly ids = new AddressIds<Address>();
  private readonly funding = new FundingBook(this.ids, ADDRESS_REGISTRY);
  private readonly payments: CasePayment[] = [];
  private readonly paidTo = new Map<Address, CasePayment[]>();
  private readonly paidBy = new Map<Address, CasePayment[]>();
  private readonly trades: AnyTrade[] = [];
  private readonly tradesOf = new Map<Address, AnyTrade[]>();
  private readonly launches: Launched[] = [];
  private readonly firstSeen = new Map<Address, TransactionRef | null>();
  private readonly signatures = new Map<Address, Set<Signature>>();

  constructor(mint: Address) {
    this.mint = mint;
  }

  add(
    ref: TransactionRef,
    transaction: TransactionFacts,
    swaps: readonly Swap[],
    how: Reading,
  ): void {
    // A fee payer without an earlier payment existed before the history.
    if (!this.firstSeen.has(transaction.feePayer)) this.firstSeen.set(transaction.feePayer, null);
    for (const signer of transaction.signers) this.noteOwn(signer, ref);
    for (const event of transaction.events) {
      if (event.kind === 'launch') {
        this.launches.push({ ...ref, mint: event.mint, creator: event.creator });
      }
      if (event.kind !== 'solTransfer' || event.transferKind !== 'transfer') continue;
      this.noteOwn(event.from, ref);
      this.see(event.to, ref);
      this.funding.applyPayment(event, { ...ref, isTimeKnown: true });
      this.addPayment({ ...ref, from: event.from, to: event.to, lamports: event.lamports });
    }
    for (const swap of swaps) this.addSwap(ref, transaction, swap, how);
    this.noteFees(ref, transaction, swaps);
  }

  /** Outer programs of a transaction that the project does not know. */
  ownProgramsOf({ programIds }: TransactionFacts): readonly Address[] {
    return programIds.filter((program) => !KNOWN_PROGRAMS.has(program));
  }

  read(lists: CaseLists, now: Now): Pick<MintCase, 'payments' | 'wallets' | 'coTrades'> {
    const named = new Set<Address>([
      ...(lists.creator === null ? [] : [lists.creator]),
      ...lists.trades.flatMap(({ wallet, feePayer, cosigners }) => [
        wallet,
        feePayer,
        ...cosigners,
      ]),
      ...lists.transfers.flatMap(({ from, to }) => [from, to]),
      ...lists.liquidity.map(({ provider }) => provider),
      ...lists.locks.map(({ owner }) => owner),
    ]);
    const payments = this.paymentsAround(named);
    const all = new Set([...named, ...payments.flatMap(({ from, to }) => [from, to])]);
    for (const [address, raw] of now.balances) if (raw > 0n) all.add(address);
    this.addAncestors(all);
    const wallets = [...all].sort().map((address) => this.walletOf(address, now));
    return {
      payments,
      wallets: new Map(wallets.map((wallet) => [wallet.address, wallet])),
      coTrades: this.coTradesOf(named, now.timeMs),
    };
  }

  private see(address: Address, ref: TransactionRef): void {
    if (!this.firstSeen.has(address)) this.firstSeen.set(address, ref);
  }

  private noteOwn(address: Address, ref: TransactionRef): void {
    this.see(address, ref);
    const seen = this.signatures.get(address) ?? new Set();
    this.signatures.set(address, seen.add(ref.signature));
  }

  private addPayment(payment: CasePayment): void {
    const { from, to, lamports } = payment;
    if (lamports < PAYMENT_LAMPORTS_MIN || from === to) return;
    this.payments.push(payment);
    pushTo(this.paidTo, to, payment);
    pushTo(this.paidBy, from, payment);
  }

  private addSwap(
    ref: TransactionRef,
    transaction: TransactionFacts,
    swap: Swap,
    how: Reading,
  ): void {
    const { trader: wallet, baseMint: mint, side } = swap;
    this.pools.add(swap.pool);
    if (wallet === null || !how.isWallet(wallet)) return;
    this.funding.noteTrader(wallet);
    this.funding.notePayer(transaction.feePayer, wallet, mint, { ...ref, isTimeKnown: true });
    const isGrouped = how.groups.has(tradeKey(ref.signature, mint, wallet));
    const isAtOnce = swap.isAtomicRoundTrip || swap.isPureArbitrage;
    const trade = { ...ref, mint, wallet, side, isGrouped, isAtOnce };
    this.trades.push(trade);
    pushTo(this.tradesOf, wallet, trade);
    for (const program of this.ownProgramsOf(transaction)) {
      const users = this.programUsers.get(program) ?? new Set();
      this.programUsers.set(program, users.add(wallet));
    }
  }

  private noteFees(
    ref: TransactionRef,
    { events }: TransactionFacts,
    swaps: readonly Swap[],
  ): void {
    const paid = events.flatMap((event) =>
      event.kind === 'solTransfer' && event.transferKind === 'transfer' && !this.pools.has(event.to)
        ? [event.to]
        : [],
    );
    for (const venue of new Set(swaps.map((swap) => swap.venue))) {
      this.funding.noteFees(venue, paid, { ...ref, isTimeKnown: true });
    }
  }

  private classOf(address: Address): CaseClass | null {
    return this.pools.has(address) ? 'pool' : this.funding.classify(address);
  }

  /** Payments by and to these addresses, and payments further downstream, in block order. */
  private paymentsAround(named: ReadonlySet<Address>): CasePayment[] {
    const found = new Set<CasePayment>();
    let level = [...named];
    for (const address of named) for (const paid of this.paidTo.get(address) ?? []) found.add(paid);
    const seen = new Set(named);
    for (let step = 0; step < STEPS_MAX; step++) {
      const next: Address[] = [];
      for (const payment of level.flatMap((address) => this.paidBy.get(address) ?? [])) {
        found.add(payment);
        if (seen.has(payment.to) || this.classOf(payment.to) !== null) continue;
        seen.add(payment.to);
        next.push(payment.to);
      }
      level = next;
    }
    return this.payments.filter((payment) => found.has(payment));
  }

  private addAncestors(all: Set<Address>): void {
    // The set grows while it is iterated; money is not followed upstream of services.
    for (const address of all) {
      if (this.classOf(address) !== null) continue;
      for (const { from } of this.paidTo.get(address) ?? []) all.add(from);
    }
  }

  private firstPaymentSlotOf(address: Address): Slot | null {
    const lists = [this.paidTo.get(address) ?? [], this.paidBy.get(address) ?? []];
    const [first = null] = lists.flat().toSorted((one, other) => one.slot - other.slot);
    return first?.slot ?? null;
  }

  private walletOf(address: Address, now: Now): CaseWallet {
    const first = this.firstSeen.get(address) ?? null;
    const fundings = this.fundingsOf(address, now.timeMs);
    const firstFunders = (this.paidTo.get(address) ?? [])
      .filter(({ from }) => this.isFunder(from))
      .slice(0, FUNDINGS_MAX)
      .map(({ from }) => from);
    const snipes = this.snipesOf(address, now.timeMs);
    const sent = (this.paidBy.get(address) ?? []).filter(
      ({ timeMs }) => timeMs > now.timeMs - WEEK_MS,
    );
    return {
      address,
      class: this.classOf(address),
      balanceRaw: (now.balances.get(address) ?? 0n) as RawAmount,
      firstSeenMs: first?.timeMs ?? null,
      firstSeenSlot: first?.slot ?? null,
      firstPaymentSlot: this.firstPaymentSlotOf(address),
      firstFunding: fundings.toSorted((one, other) => one.slot - other.slot)[0] ?? null,
      fundings: fundings.filter(
        ({ funder }, place) => place < FUNDINGS_MAX || firstFunders.includes(funder),
      ),
      fanOut: new Set(sent.map(({ to }) => to)).size,
      isShell: this.isShell(address),
      snipes: snipes.length,
      snipedCreators: new Set(snipes.map(({ creator }) => creator)).size,
      priorBundles: this.priorBundlesOf(address),
      bundledMints: this.bundledMintsOf(address),
      isOrganic: !(this.tradesOf.get(address) ?? []).some(({ isAtOnce }) => isAtOnce),
    };
  }

  /** By strength: each payment weighted by e^(-age / 7 d). */
  private fundingsOf(address: Address, nowMs: number): CaseFunding[] {
    const paid = (this.paidTo.get(address) ?? []).filter(({ from }) => this.isFunder(from));
    return [...Map.groupBy(paid, ({ from }) => from)]
      .map(([funder, payments]) => ({
        strength: payments.reduce(
          (sum, { lamports, timeMs }) =>
            sum + Number(lamports) * Math.exp((timeMs - nowMs) / WEEK_MS),
          0,
        ),
        edge: {
          funder,
          lamports: payments.reduce((sum, { lamports }) => sum + lamports, 0n) as Lamports,
          sinceMs: payments[0]?.timeMs ?? 0,
          lastMs: payments.at(-1)?.timeMs ?? 0,
          slot: (payments[0]?.slot ?? 0) as Slot,
        },
      }))
      .sort(
        (one, other) =>
          other.strength - one.strength || (one.edge.funder < other.edge.funder ? -1 : 1),
      )
      .map(({ edge }) => edge);
  }

  /** Whether its payments are neither fees, tips nor rewards. */
  private isFunder(address: Address): boolean {
    const known = this.classOf(address);
    return (
      known === null ||
      ['cex', 'bridge', 'hub', 'sponsor', 'market_maker', 'mev_searcher'].includes(known)
    );
  }

  private isShell(address: Address): boolean {
    const received = this.paidTo.get(address) ?? [];
    const sent = this.paidBy.get(address) ?? [];
    const count = this.signatures.get(address)?.size ?? 0;
    if (received.length === 0 || sent.length === 0 || count > SHELL.transactionsMax) return false;
    if (this.tradesOf.has(address)) return false;
    const passed = sent.filter(({ timeMs }) =>
      received.some((paid) => paid.timeMs <= timeMs && timeMs - paid.timeMs <= SHELL.withinMs),
    );
    const last = passed.at(-1);
    if (last === undefined) return false;
    const before = received.filter(({ slot }) => slot <= last.slot);
    return sumOf(passed) * 100n >= sumOf(before) * SHELL.passedPercentMin;
  }

  private snipesOf(address: Address, nowMs: number): Launched[] {
    const buys = (this.tradesOf.get(address) ?? []).filter(({ side }) => side === 'buy');
    return this.launches.filter(
      ({ mint, slot, timeMs }) =>
        mint !== this.mint &&
        timeMs > nowMs - WEEK_MS &&
        buys.some((buy) => buy.mint === mint && buy.slot - slot <= SNIPE_SLOTS),
    );
  }

  private isYoung({ mint, slot }: AnyTrade): boolean {
    return this.launches.some((launch) => launch.mint === mint && slot - launch.slot <= 750);
  }

  private priorBundlesOf(address: Address): number {
    const own = this.launches.filter(
      ({ mint, creator }) => creator === address && mint !== this.mint,
    );
    return own.filter(({ mint, slot }) =>
      this.trades.some(
        (trade) => trade.mint === mint && trade.isGrouped && trade.slot - slot <= SNIPE_SLOTS,
      ),
    ).length;
  }

  /** Launches of the week before this one that it bought in a bundle, newest first. */
  private bundledMintsOf(address: Address): Address[] {
    const own = this.launches.find(({ mint }) => mint === this.mint);
    if (own === undefined) return [];
    const bundled = (this.tradesOf.get(address) ?? []).filter(
      ({ side, isGrouped }) => side === 'buy' && isGrouped,
    );
    return this.launches
      .filter(({ timeMs }) => timeMs < own.timeMs && timeMs > own.timeMs - WEEK_MS)
      .filter(({ mint, slot }) =>
        bundled.some((buy) => buy.mint === mint && buy.slot - slot <= SNIPE_SLOTS),
      )
      .map(({ mint }) => mint)
      .reverse();
  }

  private coTradesOf(named: ReadonlySet<Address>, nowMs: number): CoTrade[] {
    const lately = this.trades.filter(
      (trade) =>
        trade.mint !== this.mint &&
        named.has(trade.wallet) &&
        trade.timeMs > nowMs - WEEK_MS &&
        !trade.isAtOnce &&
        !this.isYoung(trade),
    );
    const pairs = new Map<string, Set<Address>>();
    for (const trades of Map.groupBy(
      lately,
      ({ mint, slot, side }) => `${mint} ${slot} ${side}`,
    ).values()) {
      const wallets = [...new Set(trades.map(({ wallet }) => wallet))].sort();
      const mint = trades[0]?.mint as Address;
      for (const [index, one] of wallets.entries()) {
        for (const other of wallets.slice(index + 1)) {
          const mints = pairs.get(`${one} ${other}`) ?? new Set();
          pairs.set(`${one} ${other}`, mints.add(mint));
        }
      }
    }
    return [...pairs].map(([pair, mints]) => {
      const [one, other] = pair.split(' ') as [Address, Address];
      return { one, other, mints: mints.size };
    });
  }
}

function pushTo<Item>(lists: Map<Address, Item[]>, address: Address, item: Item): void {
  const list = lists.get(address);
  if (list === undefined) lists.set(address, [item]);
  else list.push(item);
}

function sumOf(payments: readonly CasePayment[]): bigint {
  return payments.reduce((sum, { lamports }) => sum + lamports, 0n);
}
