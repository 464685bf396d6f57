import { isOffCurveAddress, address as kitAddress } from '@solana/kit';
import { DECODERS, isVenueProgram } from '../../src/decoders/registry.ts';
import { transferResiduals } from '../../src/fold/positions/transfer-residuals.ts';
import { ADDRESS_REGISTRY, type AddressClass } from '../../src/model/address-registry.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { Classification } from '../../src/model/fraud.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { AttributedSwap, Swap } from '../../src/model/swap.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type { Address, Slot, UsdNano } from '../../src/model/units.ts';
import { type NaiveProfile, newProfile, updateNaiveClass, verdictOf } from './naive-bots.ts';
import { NaiveFollows } from './naive-follows.ts';
import { NaiveFunding } from './naive-funding.ts';
import { type IndicatorStep, type NaiveIndicators, naiveIndicators } from './naive-indicators.ts';
import { NaiveLedger, type NaiveMark, type NaiveTransfer, viewOf } from './naive-positions.ts';
import { NaiveQuotes } from './naive-quotes.ts';
import { NaiveSkill } from './naive-skill.ts';

/** One slot of a run, with values that other oracles check: labels of swaps, prices, creators. */
export interface NaiveSlot {
  readonly facts: SlotFacts;
  readonly changes: SlotChanges;
  /** USD per SOL in the slot, in 10^-18; null while unknown. */
  readonly solUsd: bigint | null;
}

/** One accepted swap of a pool by any trader. */
interface NaiveSwap {
  readonly swap: Swap;
  readonly slot: number;
  readonly txIndex: number;
  readonly timeMs: number;
  readonly valueUsd: bigint | null;
  /** Its trader is a wallet that traded the token. */
  readonly isOwn: boolean;
}

interface Now {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly solUsd: bigint | null;
  /** USD per whole quote token in 10^-18, after the previous slot; null while unknown. */
  readonly rateOf: (mint: Address) => bigint | null;
}

type SmartTrade = Extract<IndicatorStep, { readonly kind: 'smartTrade' }>['trade'];

const KNOWN_PROGRAMS = new Set<Address>(DECODERS.map(({ programId }) => programId));
const TERMINAL_FEES: ReadonlySet<AddressClass> = new Set(['terminal_fee']);
const E18 = 10n ** 18n;

/**
 * Traders and their behaviour, from the list of all slots: the definitions of METHODS §0.5 to §2.6
 * on plain lists, with every figure recomputed when it is read. Accepts only slots of known time.
 */
export class NaiveWallets {
  readonly profiles = new Map<Address, NaiveProfile>();
  readonly ledger = new NaiveLedger();
  readonly funding = new NaiveFunding();
  readonly skill = new NaiveSkill();
  readonly follows = new NaiveFollows();
  private readonly quotes = new NaiveQuotes();
  private readonly swaps: NaiveSwap[] = [];
  private readonly flows: { readonly pool: Address; readonly trade: SmartTrade }[] = [];
  private readonly sandwiches = new Set<string>();
  /** Snipers of launches, by mint and wallet: bots in all pools of the mint. */
  private readonly snipers = new Set<string>();
  private readonly programUsers = new Map<Address, Set<Address>>();
  private readonly tokens = new Map<Address, TokenRecord>();
  private readonly pools = new Map<Address, PoolRecord>();
  private readonly traded = new Map<
    Address,
    { readonly organicUsd: bigint; readonly profitableUsd: bigint }
  >();
  /** The newest version of each finding. */
  private readonly findings = new Map<string, Classification>();
  /** Who leads a strong finding, by mint and wallet: bots in all pools of the mint. */
  private leaders = new Set<string>();
  private touched = new Set<Address>();
  private firstMs: number | null = null;
  private timeMs = 0;

  /** Slots in order. */
  add({ facts, changes, solUsd }: NaiveSlot): void {
    this.timeMs = Math.max(this.timeMs, facts.blockTimeMs ?? 0);
    this.firstMs ??= this.timeMs;
    for (const token of changes.tokens) this.tokens.set(token.mint, token);
    for (const pool of changes.pools) this.pools.set(pool.pool, pool);
    const asked = { nowMs: this.timeMs, solUsd };
    const rateOf = (mint: Address) => this.quotes.quote(mint, asked)?.usd ?? null;
    const now = { slot: facts.slot, timeMs: this.timeMs, solUsd, rateOf };
    this.touched = new Set();
    for (const transaction of facts.transactions) {
      if (transaction.error === null) this.addTransaction(transaction, now);
      else this.addFailure(transaction);
    }
    this.settle(changes, now);
    this.noteFindings(changes);
    this.quotes.add(changes);
    for (const swap of this.swaps) if (swap.slot === facts.slot) this.settleVolume(swap);
  }

  private noteFindings({ classifications }: SlotChanges): void {
    for (const found of classifications) this.findings.set(found.id, found);
    this.leaders = new Set(
      [...this.findings.values()]
        .filter(({ state, finding }) => state === 'active' && finding.confidence >= 0.7)
        .flatMap(({ finding: { mint, fraudType, wallets } }) => {
          const isOfEquals = ['coordinated_exit', 'wash_volume'].includes(fraudType);
          const roles = ['attacker', 'bundler', ...(isOfEquals ? ['unknown'] : [])];
          return wallets
            .filter(({ role }) => roles.includes(role))
            .map(({ address }) => `${mint} ${address}`);
        }),
    );
  }

  private isTokenBot(mint: Address, wallet: Address): boolean {
    const name = `${mint} ${wallet}`;
    return this.snipers.has(name) || this.leaders.has(name);
  }

  /** Volume of a pool's trades whose trader was organic, and ahead, at the end of their slots. */
  tradedIn(pool: Address): { readonly organicUsd: bigint; readonly profitableUsd: bigint } {
    return this.traded.get(pool) ?? { organicUsd: 0n, profitableUsd: 0n };
  }

  private settleVolume({ swap, isOwn, valueUsd }: NaiveSwap): void {
    const { pool, baseMint, trader } = swap;
    const record = this.pools.get(pool);
    if (!isOwn || trader === null || valueUsd === null || record === undefined) return;
    const { organic, profitable } = naiveIndicators(
      [
        ...this.tradesOf(pool).filter((step) => 'wallet' in step && step.wallet === trader),
        ...this.standingOf(pool, baseMint, trader),
      ],
      {
        nowMs: this.timeMs,
        originMs: this.firstMs ?? 0,
        priceUsd: record.priceUsd,
        baseDecimals: swap.baseDecimals,
      },
    );
    const { organicUsd, profitableUsd } = this.tradedIn(pool);
    this.traded.set(pool, {
      organicUsd: organicUsd + (organic === 1 ? valueUsd : 0n),
      profitableUsd: profitableUsd + ((profitable?.volumeUsd ?? 0n) > 0n ? valueUsd : 0n),
    });
  }

  /** The present figures of a pool, not rounded. */
  read(pool: Address, holders: ReadonlyMap<Address, Address[]>): NaiveIndicators {
    const record = this.pools.get(pool);
    if (record === undefined) throw new Error(`no pool ${pool}`);
    const originMs = this.firstMs ?? 0;
    const { baseMint, priceUsd } = record;
    // The decimals of its swaps, which are those of the pool unless the record contradicts itself.
    const first = this.swaps.find(({ swap, isOwn }) => isOwn && swap.pool === pool)?.swap;
    const { baseDecimals } = first ?? record;
    const steps = [
      ...this.tradesOf(pool),
      ...this.tradersOf(pool).flatMap((wallet) => this.standingOf(pool, baseMint, wallet)),
      ...this.flows
        .filter((flow) => flow.pool === pool)
        .map(({ trade }) => ({ kind: 'smartTrade', trade }) as const),
      ...(holders.get(baseMint) ?? []).flatMap((wallet) => this.holdingOf(baseMint, wallet)),
    ];
    return naiveIndicators(steps, { nowMs: this.timeMs, originMs, priceUsd, baseDecimals });
  }

  private tradesOf(pool: Address): IndicatorStep[] {
    return this.swaps
      .filter(({ swap }) => swap.pool === pool)
      .map(({ swap, isOwn, slot, txIndex, timeMs, valueUsd }) => {
        const place = { slot: slot as Slot, txIndex, timeMs };
        const volumeUsd = valueUsd as UsdNano | null;
        const isVolumeAtomic = swap.isAtomicRoundTrip;
        const trade = { ...place, volumeUsd, isVolumeAtomic, isHop: !isOwn, isBot: false };
        // A swap without a trader belongs to no wallet: as a hop it counts only in the volume.
        return { kind: 'trade', wallet: swap.trader ?? swap.pool, trade };
      });
  }

  private tradersOf(pool: Address): Address[] {
    const own = this.swaps.filter(({ swap, isOwn }) => isOwn && swap.pool === pool);
    return [...new Set(own.map(({ swap }) => swap.trader).filter((trader) => trader !== null))];
  }

  /** The present class and positions of a trader. */
  private standingOf(pool: Address, mint: Address, wallet: Address): IndicatorStep[] {
    const isBot = this.isBot(wallet) || this.isTokenBot(mint, wallet);
    const steps: IndicatorStep[] = [{ kind: 'class', wallet, isBot }];
    if (this.sandwiches.has(`${pool} ${wallet}`)) steps.push({ kind: 'sandwich', wallet });
    const position = this.ledger.find(mint, wallet);
    if (position === null) return steps;
    return [...steps, { kind: 'position', wallet, position: viewOf(position, this.firstMs ?? 0) }];
  }

  private holdingOf(mint: Address, wallet: Address): IndicatorStep[] {
    const score = this.skill.scoreAt(wallet, this.timeMs);
    const position = this.ledger.find(mint, wallet);
    if (score === null || position === null || this.isInsider(mint, wallet)) return [];
    return [{ kind: 'smart', wallet, holding: { score, costUsd: position.cost as UsdNano } }];
  }

  /** Whether nine tenths of the pool's moved amounts have a known price. */
  isUsdKnown(pool: Address): boolean {
    const own = this.swaps.filter(({ swap }) => swap.pool === pool);
    const sum = (swaps: readonly NaiveSwap[]) =>
      swaps.reduce((total, { swap }) => total + absolute(swap.poolQuoteDelta), 0n);
    return sum(own.filter(({ valueUsd }) => valueUsd !== null)) * 10n >= sum(own) * 9n;
  }

  get nowMs(): number {
    return this.timeMs;
  }

  verdict(wallet: Address) {
    const profile = this.profiles.get(wallet);
    return profile === undefined ? null : verdictOf(profile, this.isPrivate);
  }

  private addTransaction(transaction: TransactionFacts, now: Now): void {
    for (const event of transaction.events) {
      if (event.kind === 'solTransfer' && event.transferKind === 'transfer') {
        this.funding.pay(event, now);
      }
    }
    const swaps = transaction.events.filter((event) => event.kind === 'swap');
    const believed = swaps.filter(({ quarantine }) => quarantine === null);
    const transfers = this.transfersOf(transaction, believed, now);
    const made = believed.filter(hasTrader);
    for (const swap of believed.filter((each) => each.trader === null)) {
      this.addSwap(swap, transaction, now, false);
    }
    this.addTraders(transaction, made, transfers, now);
    if (believed.length > 0) this.funding.noteFees(transaction, believed, this.pools, now);
    else if (swaps.length === 0) this.noteOther(transaction);
    for (const transfer of transfers) this.ledger.transfer(transfer);
  }

  private addTraders(
    transaction: TransactionFacts,
    made: readonly AttributedSwap[],
    transfers: NaiveTransfer[],
    now: Now,
  ): void {
    for (const trader of new Set(made.map((swap) => swap.trader))) {
      const own = made.filter((swap) => swap.trader === trader);
      if (this.isWallet(trader, transaction)) {
        this.takeSentToSell(trader, own, transfers);
        this.addTrader(transaction, trader, own, now);
      } else for (const swap of own) this.addSwap(swap, transaction, now, false);
    }
  }

  /** Transfers to a wallet that sold the tokens come before the sale. */
  private takeSentToSell(
    trader: Address,
    swaps: readonly AttributedSwap[],
    transfers: NaiveTransfer[],
  ): void {
    for (const transfer of [...transfers]) {
      const net = swaps
        .filter((swap) => swap.baseMint === transfer.mint && !swap.isIntermediateHop)
        .reduce((sum, swap) => sum + swap.traderBaseDelta, 0n);
      if (transfer.to !== trader || net >= 0n) continue;
      this.ledger.transfer(transfer);
      transfers.splice(transfers.indexOf(transfer), 1);
    }
  }

  private noteOther({ signers }: TransactionFacts): void {
    for (const signer of signers) {
      const profile = this.profiles.get(signer);
      if (profile !== undefined) profile.didOther = true;
    }
  }

  private addFailure({ feePayer, programIds }: TransactionFacts): void {
    const profile = this.profiles.get(feePayer);
    if (profile === undefined || !programIds.some(isVenueProgram)) return;
    profile.failures++;
    this.touched.add(feePayer);
  }

  private addTrader(
    transaction: TransactionFacts,
    trader: Address,
    swaps: readonly AttributedSwap[],
    now: Now,
  ): void {
    const own = swaps.filter(({ isIntermediateHop }) => !isIntermediateHop);
    const newMint = own.find(
      ({ side, baseMint }) =>
        side === 'buy' && (this.ledger.find(baseMint, trader)?.buys ?? 0) === 0,
    )?.baseMint;
    this.noteSnipes(trader, own, now);
    for (const swap of swaps) {
      this.addSwap(swap, transaction, now, !swap.isIntermediateHop);
      this.addFlow(swap, now);
    }
    const terminalFee = terminalFeeOf(transaction, trader);
    own.forEach((swap, place) => {
      this.addToLedger(swap, place === 0 ? terminalFee : 0n, now);
    });
    this.addPaidTokens(trader, swaps, now);
    if (newMint !== undefined) {
      this.follows.firstBuy({ mint: newMint, wallet: trader, slot: now.slot });
    }
    const main = own[0] ?? swaps[0];
    if (main === undefined) return;
    const profile = this.profiles.get(trader) ?? newProfile(now.slot, now.timeMs);
    this.profiles.set(trader, profile);
    const parts = own.filter(
      ({ baseMint, side }) => baseMint === main.baseMint && side === main.side,
    );
    const launchSlot = newMint === undefined ? null : this.launchSlotOf(newMint);
    const programs = transaction.programIds.filter((program) => !KNOWN_PROGRAMS.has(program));
    for (const program of programs) {
      const users = this.programUsers.get(program) ?? new Set<Address>();
      this.programUsers.set(program, users.add(trader));
    }
    profile.trades.push({
      ...{ slot: now.slot, timeMs: now.timeMs, mint: main.baseMint, side: main.side, programs },
      lamports: lamportsOf(parts, terminalFee, now),
      isRoundTrip: isRoundTrip(swaps),
      isFirstBuy: newMint !== undefined,
      isSnipe: launchSlot !== null && now.slot - launchSlot <= 2,
      isTerminal: transaction.terminal !== null,
    });
    this.touched.add(trader);
    this.funding.noteTrade(transaction.feePayer, trader, main.baseMint, now.timeMs);
  }

  /** Who buys a mint for the first time within two slots of its launch, but for its creator. */
  private noteSnipes(trader: Address, own: readonly AttributedSwap[], now: Now): void {
    for (const { side, baseMint } of own) {
      const launchSlot = this.launchSlotOf(baseMint);
      const isEarly = launchSlot !== null && now.slot - launchSlot <= 2;
      const isFirst = (this.ledger.find(baseMint, trader)?.buys ?? 0) === 0;
      const isCreator = this.tokens.get(baseMint)?.creator === trader;
      if (side === 'buy' && isEarly && isFirst && !isCreator) {
        this.snipers.add(`${baseMint} ${trader}`);
      }
    }
  }

  private addSwap(swap: Swap, { txIndex }: TransactionFacts, now: Now, isOwn: boolean): void {
    const valueUsd = usdOf(absolute(swap.poolQuoteDelta), swap.quoteMint, swap.quoteDecimals, now);
    this.swaps.push({ swap, slot: now.slot, txIndex, timeMs: now.timeMs, valueUsd, isOwn });
  }

  private addFlow(swap: AttributedSwap, now: Now): void {
    const { trader: wallet, pool, side } = swap;
    const score = this.skill.scoreAt(wallet, now.timeMs);
    const valueUsd = usdOf(absolute(swap.poolQuoteDelta), swap.quoteMint, swap.quoteDecimals, now);
    if (swap.isIntermediateHop || score === null || valueUsd === null) return;
    const cluster = this.funding.clusterOf(wallet);
    const isEligible = this.isOrganicIn(pool, wallet) && !this.isInsider(swap.baseMint, wallet);
    const trade = {
      ...{ timeMs: now.timeMs, wallet, score, side, isEligible, valueUsd: valueUsd as UsdNano },
      cluster: cluster === wallet ? null : cluster,
    };
    this.flows.push({ pool, trade });
  }

  private isOrganicIn(pool: Address, wallet: Address): boolean {
    const own = this.swaps.filter(
      ({ swap, isOwn }) => isOwn && swap.pool === pool && swap.trader === wallet,
    );
    const volume = own.reduce((sum, { valueUsd }) => sum + (valueUsd ?? 0n), 0n);
    const isDust = volume < 10n ** 9n && own.every(({ valueUsd }) => valueUsd !== null);
    const isExposed = own.some(({ swap }) => swap.isAtomicRoundTrip);
    const isLeg = this.sandwiches.has(`${pool} ${wallet}`);
    const isTokenBot = own.some(({ swap }) => this.isTokenBot(swap.baseMint, wallet));
    return !isDust && !isExposed && !isLeg && !isTokenBot && !this.isBot(wallet);
  }

  private addToLedger(swap: AttributedSwap, terminalFee: bigint, now: Now): void {
    const { baseMint: mint, trader: wallet, side } = swap;
    const isBuy = side === 'buy';
    const valueUsd = walletValueOf(swap, terminalFee, now);
    const change = {
      ...{ mint, wallet, valueUsd, timeMs: now.timeMs, amountRaw: absolute(swap.traderBaseDelta) },
      isLaunchSlot: this.launchSlotOf(mint) === now.slot,
      isInsider: this.isInsider(mint, wallet),
      entryCell: this.entryCellOf(mint, absolute(swap.traderBaseDelta), valueUsd, now),
    };
    if (isBuy) this.ledger.buy(change);
    else this.ledger.sell(change);
  }

  /** Changes of quote tokens by trades, less the changes of the trades in those tokens. */
  private addPaidTokens(wallet: Address, swaps: readonly Swap[], now: Now): void {
    const isMoney = (mint: Address) => [USDC, USDT, WRAPPED_SOL].includes(mint);
    const own = swaps.filter(({ isIntermediateHop }) => !isIntermediateHop);
    for (const mint of new Set(own.map(({ quoteMint }) => quoteMint))) {
      if (isMoney(mint)) continue;
      const paid = swaps
        .filter(({ quoteMint }) => quoteMint === mint)
        .map(({ traderQuoteDelta, poolQuoteDelta }) => traderQuoteDelta ?? -poolQuoteDelta);
      const passed = swaps
        .filter(({ baseMint, isIntermediateHop }) => baseMint === mint && isIntermediateHop)
        .map(({ traderBaseDelta }) => traderBaseDelta);
      const change = [...paid, ...passed].reduce((sum, each) => sum + each, 0n);
      const amountRaw = absolute(change);
      const decimals = own.find(({ quoteMint }) => quoteMint === mint)?.quoteDecimals ?? 0;
      const valueUsd = usdOf(amountRaw, mint, decimals, now);
      const part = { mint, wallet, valueUsd, timeMs: now.timeMs };
      const entry = { ...part, amountRaw, isLaunchSlot: false, isInsider: false, entryCell: 63 };
      if (change > 0n) this.ledger.buy(entry);
      else this.ledger.sell(entry);
    }
  }

  private transfersOf(
    transaction: TransactionFacts,
    believed: readonly Swap[],
    { timeMs }: Now,
  ): NaiveTransfer[] {
    const mints = new Set([...this.pools.values()].map(({ baseMint }) => baseMint));
    if (!transaction.tokenBalances.some(({ mint }) => mints.has(mint))) return [];
    const isWallet = (owner: Address) => this.isWallet(owner, transaction);
    return transferResiduals(transaction, believed, isWallet)
      .filter(({ mint }) => mints.has(mint))
      .map((transfer) => ({ ...transfer, timeMs }));
  }

  private settle({ swaps }: SlotChanges, { timeMs }: Now): void {
    for (const { swap, exclusion } of swaps) {
      if (exclusion !== 'sandwich_leg' || swap.trader === null) continue;
      const profile = this.profiles.get(swap.trader);
      if (profile === undefined) continue;
      profile.legsMs.push(timeMs);
      this.touched.add(swap.trader);
      this.sandwiches.add(`${swap.pool} ${swap.trader}`);
    }
    this.ledger.closeStale(timeMs, (mint) => this.markOf(mint));
    const ended = this.ledger.episodes.splice(0);
    this.skill.addSlot(
      ended.map((episode) => {
        const isCopied = this.follows.isCopied(episode.mint, episode.wallet);
        return { ...episode, isCounted: episode.isCounted && !isCopied };
      }),
    );
    for (const episode of ended) {
      if (episode.isForced) continue;
      const heldS = Math.max(0, episode.closedMs - episode.startMs) / 1_000;
      this.profiles.get(episode.wallet)?.heldS.push(heldS);
      this.touched.add(episode.wallet);
    }
    for (const wallet of this.touched) {
      const profile = this.profiles.get(wallet);
      if (profile === undefined || !updateNaiveClass(profile, this.isPrivate)) continue;
      this.skill.setBot(wallet, profile.isBot);
    }
    this.skill.expire(timeMs);
    this.funding.forget(timeMs);
  }

  private markOf(mint: Address): NaiveMark | null {
    const token = this.tokens.get(mint);
    if (token === undefined || token.decimals === null) return null;
    const pools = [...this.pools.values()].filter(({ baseMint }) => baseMint === mint);
    const lastTradeMs = Math.max(0, ...pools.map(({ lastSwapMs }) => lastSwapMs ?? 0));
    const primary = token.primaryPool === null ? undefined : this.pools.get(token.primaryPool);
    return { priceUsd: primary?.priceUsd ?? null, decimals: token.decimals, lastTradeMs };
  }

  /** Age and market cap at a purchase; the last class of each is for an unknown one. */
  private entryCellOf(mint: Address, amountRaw: bigint, valueUsd: bigint | null, now: Now): number {
    const launchSlot = this.launchSlotOf(mint);
    const minutes = launchSlot === null ? null : ((now.slot - launchSlot) * 0.4) / 60;
    const age = [1, 10, 60, 360, 1_440, 10_080].filter((from) => (minutes ?? 0) >= from).length;
    const supply = this.tokens.get(mint)?.supplyRaw ?? null;
    const isKnown = supply !== null && valueUsd !== null && amountRaw > 0n;
    const capUsd = isKnown ? (supply * valueUsd) / amountRaw / 10n ** 9n : 0n;
    const caps = [10_000n, 30_000n, 100_000n, 300_000n, 1_000_000n, 10_000_000n];
    const cap = isKnown ? caps.filter((from) => capUsd >= from).length : 7;
    return 8 * (minutes === null ? 7 : age) + cap;
  }

  private launchSlotOf(mint: Address): number | null {
    if ((this.tokens.get(mint)?.creationSlot ?? null) === null) return null;
    const slots = [...this.pools.values()]
      .filter(({ baseMint }) => baseMint === mint)
      .map(({ createdSlot }) => createdSlot ?? Number.NEGATIVE_INFINITY);
    const first = Math.min(...slots);
    return Number.isFinite(first) ? first : null;
  }

  private isInsider(mint: Address, wallet: Address): boolean {
    const creator = this.tokens.get(mint)?.creator ?? null;
    if (creator === null) return false;
    const hands = [creator, this.funding.clusterOf(creator)];
    return hands.includes(wallet) || hands.includes(this.funding.clusterOf(wallet));
  }

  private isBot(wallet: Address): boolean {
    return this.profiles.get(wallet)?.isBot === true;
  }

  private readonly isPrivate = (program: Address): boolean =>
    (this.programUsers.get(program)?.size ?? 0) <= 20;

  private isWallet(owner: Address, { signers }: TransactionFacts): boolean {
    if (signers.includes(owner)) return true;
    return isPoint(owner) && !ADDRESS_REGISTRY.isInfrastructure(owner);
  }
}

type Rates = Pick<Now, 'solUsd' | 'rateOf'>;

/** The amount that the wallet paid or got, including the share of its terminal. */
function walletValueOf(swap: Swap, terminalFee: bigint, now: Rates): bigint | null {
  const { quoteMint, quoteDecimals, side } = swap;
  const quoteRaw = absolute(swap.traderQuoteDelta ?? swap.poolQuoteDelta);
  const withFee = (bare: bigint, fee: bigint) =>
    side === 'buy' ? bare + fee : positive(bare - fee);
  if (quoteMint === WRAPPED_SOL) {
    return usdOf(withFee(quoteRaw, terminalFee), quoteMint, quoteDecimals, now);
  }
  const bare = usdOf(quoteRaw, quoteMint, quoteDecimals, now);
  if (terminalFee === 0n) return bare;
  const fee = usdOf(terminalFee, WRAPPED_SOL, 9, now);
  return bare === null || fee === null ? null : withFee(bare, fee);
}

const points = new Map<Address, boolean>();

function isPoint(owner: Address): boolean {
  const known = points.get(owner) ?? !isOffCurveAddress(kitAddress(owner));
  points.set(owner, known);
  return known;
}

function terminalFeeOf({ events }: TransactionFacts, trader: Address): bigint {
  return events
    .filter((event) => event.kind === 'solTransfer')
    .filter(({ from, to }) => from === trader && ADDRESS_REGISTRY.isAnyOf(to, TERMINAL_FEES))
    .reduce((sum, { lamports }) => sum + lamports, 0n);
}

/** The value of a trade in lamports over its pools; null when unknown. */
function lamportsOf(parts: readonly Swap[], terminalFee: bigint, now: Rates): bigint | null {
  const { solUsd } = now;
  if (parts.length === 0) return null;
  let sum = 0n;
  for (const [place, swap] of parts.entries()) {
    const raw = absolute(swap.traderQuoteDelta ?? swap.poolQuoteDelta);
    if (swap.quoteMint === WRAPPED_SOL) {
      const fee = place === 0 ? terminalFee : 0n;
      sum += swap.side === 'buy' ? raw + fee : positive(raw - fee);
      continue;
    }
    const usd = usdOf(raw, swap.quoteMint, swap.quoteDecimals, now);
    if (usd === null || solUsd === null) return null;
    sum += halfUp(usd * E18, solUsd);
  }
  return sum;
}

/** A mint that the trader gave back within the transaction, all but a thousandth of what moved. */
function hasTrader(swap: Swap): swap is AttributedSwap {
  return swap.trader !== null;
}

function isRoundTrip(swaps: readonly Swap[]): boolean {
  if (swaps.some((swap) => swap.isAtomicRoundTrip || swap.isPureArbitrage)) return true;
  if (swaps.length < 2) return false;
  const own = swaps.filter(({ isIntermediateHop }) => !isIntermediateHop);
  return own.some(({ baseMint }) => {
    const moves = swaps.filter((swap) => swap.baseMint === baseMint);
    const net = moves.reduce((sum, { poolBaseDelta }) => sum + poolBaseDelta, 0n);
    const gross = moves.reduce((sum, { poolBaseDelta }) => sum + absolute(poolBaseDelta), 0n);
    return gross > 0n && absolute(net) * 1_000n <= gross;
  });
}

function usdOf(raw: bigint, mint: Address, decimals: number, { rateOf }: Rates): bigint | null {
  const rate = rateOf(mint);
  // Nano-dollars from a price with 18 digits.
  return rate === null ? null : halfUp(raw * rate, 10n ** BigInt(decimals + 9));
}

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (2n * denominator);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
