import { WalletOwners } from '../../src/engine/wallets/wallet-owners.ts';
import { transferResiduals } from '../../src/fold/positions/transfer-residuals.ts';
import type { ChainEvent, Liquidity, TokenLock } from '../../src/model/chain-event.ts';
import type {
  CaseLaunch,
  CaseLiquidity,
  CaseLock,
  CaseMarket,
  CaseTrade,
  CaseTransfer,
  MintCase,
  TransactionRef,
} from '../../src/model/mint-case.ts';
import { USDC, USDT, type Venue, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Reserves } from '../../src/model/reserves.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { AttributedSwap, Swap } from '../../src/model/swap.ts';
import type { Address, Lamports, RawAmount, UsdNano } from '../../src/model/units.ts';
import { type CaseLists, NaivePeople } from './naive-case-people.ts';
import { groupsOf, type PlacedTogether, tradeKey } from './naive-groups.ts';

export interface NaiveCaseOptions {
  /** USD per SOL; null when unknown. */
  readonly solUsd: number | null;
}

/** The mint's case after the last of these slots, which are the whole history in order. */
export function naiveCase(
  slots: readonly SlotFacts[],
  mint: Address,
  options: NaiveCaseOptions,
): MintCase {
  const cases = new NaiveCases(mint, options);
  for (const facts of slots) cases.add(facts);
  return cases.read();
}

interface PoolSeen {
  readonly pool: Address;
  readonly venue: Venue;
  readonly quoteMint: Address;
  reserves: Reserves | null;
  /** From the last trade that stated its fee. */
  feeBps: number;
}

/** For a venue that does not state its fee. */
const FEE_BPS = 25;
/** Venues whose reserves do not determine the price. */
const BY_RANGES: ReadonlySet<Venue> = new Set<Venue>([
  'meteora_dlmm',
  'meteora_damm_v2',
  'raydium_clmm',
  'orca_whirlpool',
  'pancakeswap_clmm',
  'byreal_clmm',
]);

/**
 * Cases of one mint directly from decoded slots: lists that only grow, and everything else
 * recomputed for each case. It cannot detect sales to a list (where an alpha vault buys), or bots
 * other than those that buy and sell at once.
 */
export class NaiveCases {
  private readonly mint: Address;
  private readonly solUsd: number | null;
  private readonly owners = new WalletOwners();
  private readonly people: NaivePeople;
  private readonly trades: CaseTrade[] = [];
  private readonly programs: (readonly Address[])[] = [];
  private readonly transfers: CaseTransfer[] = [];
  private readonly liquidity: CaseLiquidity[] = [];
  private readonly locks = new Map<
    Address,
    { ref: TransactionRef; lock: CaseLock | null; raw: bigint }
  >();
  private readonly pools = new Map<Address, PoolSeen>();
  private readonly accounts = new Map<Address, { owner: Address; raw: bigint }>();
  private created: CaseLaunch | null = null;
  private opened: CaseLaunch | null = null;
  private decimals = 0;
  private supplyRaw = 0n;
  private slot = 0;
  private timeMs = 0;

  constructor(mint: Address, { solUsd }: NaiveCaseOptions) {
    this.mint = mint;
    this.solUsd = solUsd;
    this.people = new NaivePeople(mint);
  }

  add(facts: SlotFacts): void {
    this.slot = facts.slot;
    this.timeMs = Math.max(this.timeMs, facts.blockTimeMs ?? 0);
    const lamportsOf = (swap: Swap) => this.lamportsOf(swap);
    const groups = groupsOf(facts, lamportsOf);
    for (const transaction of facts.transactions) {
      if (transaction.error !== null) continue;
      const ref: TransactionRef = {
        slot: facts.slot,
        timeMs: this.timeMs,
        txIndex: transaction.txIndex,
        signature: transaction.signature,
      };
      const swaps = transaction.events.filter(isBelieved);
      const isWallet = (owner: Address) => this.owners.isWallet(owner, transaction.signers);
      this.people.add(ref, transaction, swaps, { groups, isWallet });
      for (const event of transaction.events) this.addEvent(ref, transaction, event);
      this.addTrades(ref, transaction, swaps, groups);
      this.addTransfers(ref, transaction, swaps);
      for (const { account, mint, owner, after } of transaction.tokenBalances) {
        if (mint === this.mint && owner !== null) this.accounts.set(account, { owner, raw: after });
      }
    }
  }

  get tradeCount(): number {
    return this.trades.length;
  }

  read(): MintCase {
    const programUsers = this.people.programUsers;
    const trades = this.trades.map((trade, index) => ({
      ...trade,
      privateProgram:
        this.programs[index]?.find((program) => (programUsers.get(program)?.size ?? 0) <= 20) ??
        null,
    }));
    const lists: CaseLists = {
      trades,
      transfers: [...this.transfers],
      liquidity: [...this.liquidity],
      locks: [...this.locks.values()].flatMap(({ lock, raw }) =>
        lock === null || raw <= 0n ? [] : [{ ...lock, amountRaw: raw as RawAmount }],
      ),
      creator: (this.created ?? this.opened)?.creator ?? null,
    };
    const { payments, wallets, coTrades } = this.people.read(lists, {
      timeMs: this.timeMs,
      balances: this.balances(),
    });
    const { creator, ...rest } = lists;
    return {
      mint: this.mint,
      decimals: this.decimals,
      supplyRaw: this.supplyRaw as RawAmount,
      slot: this.slot as MintCase['slot'],
      timeMs: this.timeMs,
      launch: this.launch(creator),
      market: this.market(),
      ...rest,
      payments,
      wallets,
      coTrades,
      isFundingKnown: true,
    };
  }

  /** Where it could first be bought, with its creator. */
  private launch(creator: Address | null): CaseLaunch | null {
    const launch = this.opened ?? this.created;
    return launch === null ? null : { ...launch, creator };
  }

  private addEvent(ref: TransactionRef, { feePayer }: TransactionFacts, event: ChainEvent): void {
    if (mintOf(event) !== this.mint) return;
    switch (event.kind) {
      case 'mintCreated':
        this.decimals = event.decimals;
        this.created ??= { ...ref, creator: feePayer, isListedSale: false };
        return;
      case 'launch':
        this.opened ??= { ...ref, creator: event.creator, isListedSale: false };
        this.seePool(event, event.reserves);
        return;
      case 'poolCreated': {
        this.opened ??= { ...ref, creator: event.creator, isListedSale: false };
        const reserves = { base: event.baseRaw, quote: event.quoteRaw };
        this.seePool(event, { ...reserves, virtualBase: null, virtualQuote: null });
        return;
      }
      case 'migrate': {
        const left = this.pools.get(event.fromPool);
        if (left !== undefined) left.reserves = null;
        return;
      }
      case 'tokenTransfer':
        if (event.transferKind === 'mintTo') this.supplyRaw += event.amountGross;
        if (event.transferKind === 'burn') this.supplyRaw -= event.amountGross;
        return;
      case 'liquidity':
        this.addLiquidity(ref, event);
        return;
      case 'tokenLock':
        this.addLock(ref, event);
        return;
      default:
    }
  }

  private seePool(
    { pool, venue, quoteMint }: Pick<PoolSeen, 'pool' | 'venue' | 'quoteMint'>,
    reserves: Reserves | null,
  ): PoolSeen {
    const known = this.pools.get(pool) ?? { pool, venue, quoteMint, reserves, feeBps: FEE_BPS };
    known.reserves = reserves ?? known.reserves;
    this.pools.set(pool, known);
    this.people.pools.add(pool);
    return known;
  }

  private addLiquidity(ref: TransactionRef, event: Liquidity): void {
    this.seePool(event, event.reserves);
    const { pool, provider, poolBaseDelta: baseRaw, poolQuoteDelta, quoteMint } = event;
    const lamports = this.toLamports(quoteMint, poolQuoteDelta) as Lamports;
    this.liquidity.push({ ...ref, pool, provider, baseRaw, lamports });
  }

  /** Locks that can be revoked, or with unknown times, do not count as locked. */
  private addLock(ref: TransactionRef, { escrow, owner, escrowDelta, terms }: TokenLock): void {
    const known = this.locks.get(escrow) ?? { ref, lock: null, raw: 0n };
    known.raw += escrowDelta;
    if (terms !== null) {
      const { isPermanent, isRevocable, firstUnlockTimeMs: firstUnlockMs } = terms;
      const isLocked = owner !== null && !isRevocable && (isPermanent || firstUnlockMs !== null);
      const amountRaw = 0n as RawAmount;
      known.lock = isLocked ? { ...known.ref, owner, amountRaw, firstUnlockMs } : null;
    }
    this.locks.set(escrow, known);
  }

  private addTrades(
    ref: TransactionRef,
    transaction: TransactionFacts,
    swaps: readonly Swap[],
    groups: ReadonlyMap<string, PlacedTogether>,
  ): void {
    const own = swaps.filter(({ baseMint }) => baseMint === this.mint);
    for (const swap of own) this.seeSwap(swap);
    const mine = own
      .filter((swap): swap is AttributedSwap => swap.trader !== null)
      .filter(({ trader }) => this.owners.isWallet(trader, transaction.signers));
    const parts = Map.groupBy(mine, ({ trader, pool, side }) => `${trader} ${pool} ${side}`);
    for (const part of parts.values()) {
      const last = part.at(-1);
      if (last === undefined) continue;
      this.trades.push(this.toTrade(ref, transaction, part, last, groups));
      this.programs.push(this.people.ownProgramsOf(transaction));
    }
  }

  private seeSwap(swap: Swap): void {
    this.decimals = swap.baseDecimals;
    const pool = this.seePool(swap, swap.reserves);
    const quote = absolute(swap.poolQuoteDelta);
    if (swap.feeQuoteRaw === null || quote === 0n) return;
    pool.feeBps = Math.round((Number(swap.feeQuoteRaw) / Number(quote)) * 10_000);
  }

  private toTrade(
    ref: TransactionRef,
    transaction: TransactionFacts,
    part: readonly AttributedSwap[],
    last: AttributedSwap,
    groups: ReadonlyMap<string, PlacedTogether>,
  ): CaseTrade {
    const { trader: wallet, pool, side } = last;
    const lamports = part.reduce((sum, swap) => sum + absolute(this.lamportsOf(swap) ?? 0n), 0n);
    const usd = this.solUsd === null ? null : BigInt(Math.round(Number(lamports) * this.solUsd));
    const quote = last.reserves?.quote ?? null;
    const isRoundTrip = part.some(({ isAtomicRoundTrip }) => isAtomicRoundTrip);
    const isArbitrage = part.some((swap) => swap.isPureArbitrage || swap.isIntermediateHop);
    return {
      ...ref,
      wallet,
      feePayer: transaction.feePayer,
      cosigners: transaction.signers.filter((signer) => signer !== wallet),
      pool,
      side,
      baseRaw: part.reduce((sum, swap) => sum + absolute(swap.traderBaseDelta), 0n) as RawAmount,
      lamports: lamports as Lamports,
      usd: usd as UsdNano | null,
      priceSol: isRoundTrip || isArbitrage ? null : this.priceAfter(last),
      poolLamports: quote === null ? null : (this.toLamports(last.quoteMint, quote) as Lamports),
      group: groups.get(tradeKey(transaction.signature, this.mint, wallet)) ?? null,
      isRoundTrip,
      isArbitrage,
      isTerminal: transaction.terminal !== null,
      privateProgram: null,
    };
  }

  /** From the pool's reserves where these determine the price, else as executed. */
  private priceAfter({
    reserves,
    venue,
    poolBaseDelta,
    poolQuoteDelta,
    quoteMint,
  }: Swap): number | null {
    const isByReserves = reserves !== null && !BY_RANGES.has(venue);
    const base = isByReserves ? (reserves.virtualBase ?? reserves.base) : absolute(poolBaseDelta);
    const quote = isByReserves
      ? (reserves.virtualQuote ?? reserves.quote)
      : absolute(poolQuoteDelta);
    if (base === 0n) return null;
    return Number(this.toLamports(quoteMint, quote)) / 1e9 / (Number(base) / 10 ** this.decimals);
  }

  private addTransfers(
    ref: TransactionRef,
    transaction: TransactionFacts,
    swaps: readonly Swap[],
  ): void {
    if (!transaction.tokenBalances.some(({ mint }) => mint === this.mint)) return;
    const isWallet = (owner: Address) => this.owners.isWallet(owner, transaction.signers);
    for (const { mint, from, to, receivedRaw } of transferResiduals(transaction, swaps, isWallet)) {
      if (mint !== this.mint || from === null || to === null || from === to) continue;
      this.transfers.push({ ...ref, from, to, amountRaw: receivedRaw as RawAmount });
    }
  }

  private balances(): ReadonlyMap<Address, bigint> {
    const balances = new Map<Address, bigint>();
    for (const { owner, raw } of this.accounts.values()) {
      balances.set(owner, (balances.get(owner) ?? 0n) + raw);
    }
    return balances;
  }

  /** The pool with the most real quote; ties go to the first by address. */
  private market(): CaseMarket | null {
    const known = [...this.pools.values()].flatMap(({ pool, quoteMint, reserves, feeBps }) => {
      if (reserves === null) return [];
      const toLamports = (raw: bigint) => this.toLamports(quoteMint, raw) as Lamports;
      return [
        {
          pool,
          baseRaw: (reserves.virtualBase ?? reserves.base) as RawAmount,
          quoteLamports: toLamports(reserves.virtualQuote ?? reserves.quote),
          withdrawableLamports: toLamports(reserves.quote),
          feeBps,
          solUsd: this.solUsd,
        },
      ];
    });
    const deepestFirst = (one: CaseMarket, other: CaseMarket) =>
      Number(other.withdrawableLamports - one.withdrawableLamports) ||
      (one.pool < other.pool ? -1 : 1);
    return known.sort(deepestFirst)[0] ?? null;
  }

  private lamportsOf({ traderQuoteDelta, poolQuoteDelta, quoteMint }: Swap): bigint | null {
    return this.toLamports(quoteMint, traderQuoteDelta ?? -poolQuoteDelta);
  }

  /** 0 for a quote of unknown price. */
  private toLamports(quoteMint: Address, raw: bigint): bigint {
    if (quoteMint === WRAPPED_SOL) return raw;
    const isDollar = quoteMint === USDC || quoteMint === USDT;
    if (!isDollar || this.solUsd === null) return 0n;
    return BigInt(Math.round((Number(raw) * 1_000) / this.solUsd));
  }
}

/** The mint of an event, the base one where there are two. */
function mintOf(event: ChainEvent): Address | null {
  if ('baseMint' in event) return event.baseMint;
  return 'mint' in event ? event.mint : null;
}

function isBelieved(event: ChainEvent): event is Swap {
  return event.kind === 'swap' && event.quarantine === null;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
