import type { MintMark } from '../../fold/positions/episodes.ts';
import type { HolderBalance, PricedSwap } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import type { WalletFold } from './wallet-fold.ts';

/** Results of a slot, in addition to its transactions, that settling reads. */
export interface SlotEnd {
  /** Swaps of this and of earlier slots whose label changed in this one. */
  readonly relabelled: readonly PricedSwap[];
  /** Balances that changed in the slot. */
  readonly balances: readonly HolderBalance[];
}

/**
 * Settles a slot after all of it is in the books: sandwiches, ended episodes, classes of wallets,
 * smart scores and holdings. Passes changed positions to the pools of their mints.
 */
export function settleWallets(fold: WalletFold, end: SlotEnd): void {
  const { walletBooks, at } = fold;
  markSandwiches(fold, end.relabelled);
  walletBooks.positions.closeStale(at.timeMs, (mint) => markOf(fold, mint));
  const scored = settleEpisodes(fold);
  settleClasses(fold);
  walletBooks.smart.expire(at.timeMs);
  const reviewed = settlePositions(fold);
  for (const { mint, owner } of end.balances) {
    if (walletBooks.smart.weightOf(owner, at.timeMs) !== null) reviewed.add(mint, owner);
  }
  for (const wallet of walletBooks.smart.takeFlips()) scored.add(wallet);
  for (const wallet of scored) {
    for (const { mint } of walletBooks.positions.ofWallet(wallet)) reviewed.add(mint, wallet);
  }
  for (const [mint, wallet] of reviewed.pairs()) reviewHolding(fold, mint, wallet);
  walletBooks.funding.forgetIdle(at.timeMs);
}

/**
 * Whether a swap by a trader of a class counts as organic volume of its pool; intermediate hops
 * never do.
 */
export function isOrganicSwap({ swap, exclusion }: PricedSwap, walletClass: WalletClass): boolean {
  if (exclusion === 'quarantined' || exclusion === 'sandwich_leg') return false;
  if (swap.isAtomicRoundTrip || swap.isPureArbitrage || swap.isIntermediateHop) return false;
  return walletClass === 'organic';
}

/** Counts the volume of a swap by what its trader, a wallet, is at the end of the slot of the swap. */
export function settleVolume(
  { walletBooks, books }: Pick<WalletFold, 'books' | 'walletBooks'>,
  { swap: { pool, isIntermediateHop }, exclusion, valueUsd }: PricedSwap,
  trader: Address,
): void {
  if (exclusion === 'quarantined' || isIntermediateHop || valueUsd === null) return;
  const priceUsd = books.pools.get(pool)?.priceUsd ?? null;
  walletBooks.poolWallets.settleTrade(pool, trader, { valueUsd, priceUsd });
}

function markSandwiches({ walletBooks, at }: WalletFold, relabelled: readonly PricedSwap[]): void {
  for (const { swap, exclusion } of relabelled) {
    const { trader } = swap;
    if (exclusion !== 'sandwich_leg' || trader === null) continue;
    const id = walletBooks.ids.find(trader);
    if (id === -1 || !walletBooks.wallets.has(id)) continue;
    walletBooks.wallets.applySandwichLeg(id, at);
    walletBooks.poolWallets.markSandwich(swap.pool, trader);
  }
}

/** Returns the smart wallets whose score changed. */
function settleEpisodes({ walletBooks, at }: WalletFold): Set<Address> {
  const closed = walletBooks.positions.takeClosed();
  walletBooks.smart.applyEpisodes(
    closed.map((episode) => {
      const isCopied = walletBooks.follows.isCopied(episode.mint, episode.wallet);
      return { ...episode, isCopied };
    }),
  );
  const scored = new Set<Address>();
  for (const episode of closed) {
    if (walletBooks.smart.weightOf(episode.wallet, at.timeMs) !== null) scored.add(episode.wallet);
    if (episode.isForced) continue;
    const heldMs = Math.max(0, episode.closedMs - episode.startMs);
    walletBooks.wallets.applyClosedHold(walletBooks.ids.idOf(episode.wallet), heldMs / 1_000);
  }
  return scored;
}

function settleClasses({ walletBooks }: WalletFold): void {
  for (const flip of walletBooks.wallets.takeFlips()) {
    const wallet = walletBooks.ids.addressOf(flip.wallet);
    const isBot = flip.class === 'bot';
    walletBooks.poolWallets.setWalletClass(wallet, isBot);
    walletBooks.smart.setBot(wallet, isBot);
  }
}

/** Returns the positions of smart wallets among those that changed. */
function settlePositions({ walletBooks, books, at }: WalletFold): PairSet {
  const smart = new PairSet();
  for (const position of walletBooks.positions.takeChanged()) {
    const { mint, wallet } = position;
    for (const { pool } of books.pools.ofMint(mint)) {
      walletBooks.poolWallets.positionChanged(pool, wallet, position);
    }
    if (walletBooks.smart.weightOf(wallet, at.timeMs) !== null) smart.add(mint, wallet);
  }
  return smart;
}

/** Stores the holding of a smart wallet in a mint; readers decide whether it counts as a holder. */
function reviewHolding(
  { walletBooks, books, at }: WalletFold,
  mint: Address,
  wallet: Address,
): void {
  const weight = walletBooks.smart.weightOf(wallet, at.timeMs);
  const costUsd = walletBooks.positions.get(mint, wallet)?.costUsd;
  const hasSome = books.holders.balanceOfOwner(mint, wallet) > 0n;
  const isKept = weight !== null && costUsd !== undefined && hasSome;
  walletBooks.smartHolders.set(mint, wallet, isKept ? { score: weight * 100, costUsd } : null);
}

function markOf({ books }: WalletFold, mint: Address): MintMark | null {
  const token = books.tokens.get(mint);
  const decimals = token?.decimals ?? null;
  if (token === undefined || decimals === null) return null;
  const primary = token.primaryPool === null ? undefined : books.pools.get(token.primaryPool);
  let lastTradeMs = 0;
  for (const { lastSwapMs } of books.pools.ofMint(mint)) {
    lastTradeMs = Math.max(lastTradeMs, lastSwapMs ?? 0);
  }
  return { priceUsd: primary?.priceUsd ?? null, decimals, lastTradeMs };
}

/** Pairs of a mint and a wallet, each once, in order of first addition. */
class PairSet {
  private readonly walletsByMint = new Map<Address, Set<Address>>();

  add(mint: Address, wallet: Address): void {
    const wallets = this.walletsByMint.get(mint);
    if (wallets === undefined) this.walletsByMint.set(mint, new Set([wallet]));
    else wallets.add(wallet);
  }

  *pairs(): Iterable<readonly [mint: Address, wallet: Address]> {
    for (const [mint, wallets] of this.walletsByMint) {
      for (const wallet of wallets) yield [mint, wallet];
    }
  }
}
