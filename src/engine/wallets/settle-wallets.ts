import type { MintMark } from '../../fold/positions/episodes.ts';
import type { HolderBalance, PricedSwap } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import type { WalletFold } from './wallet-fold.ts';

/** What the end of a slot knows beside the transactions. */
export interface SlotEnd {
  /** Swaps of this and of earlier slots whose label changed in this one. */
  readonly relabelled: readonly PricedSwap[];
  /** Balances that changed in the slot. */
  readonly balances: readonly HolderBalance[];
}

/**
 * Draws the conclusions of a slot once all of it is in the books: sandwiches, ended episodes, who is
 * a bot, who is smart and holds what; and hands positions that changed to the pools of their mints.
 */
export function settleWallets(fold: WalletFold, end: SlotEnd): void {
  const { who, at } = fold;
  markSandwiches(fold, end.relabelled);
  who.positions.closeStale(at.timeMs, (mint) => markOf(fold, mint));
  const scored = settleEpisodes(fold);
  settleClasses(fold);
  who.smart.expire(at.timeMs);
  const reviewed = settlePositions(fold);
  for (const { mint, owner } of end.balances) {
    if (who.smart.weightOf(owner, at.timeMs) !== null) reviewed.add(mint, owner);
  }
  for (const wallet of who.smart.takeFlips()) scored.add(wallet);
  for (const wallet of scored) {
    for (const { mint } of who.positions.ofWallet(wallet)) reviewed.add(mint, wallet);
  }
  for (const [mint, wallet] of reviewed.pairs()) reviewHolding(fold, mint, wallet);
  who.funding.forgetIdle(at.timeMs);
}

/** Whether a swap is among the organic volume of its pool now; what passes through is nobody's. */
export function isOrganicSwap({ who }: WalletFold, { swap, exclusion }: PricedSwap): boolean {
  if (exclusion === 'quarantined' || exclusion === 'sandwich_leg') return false;
  if (swap.isAtomicRoundTrip || swap.isPureArbitrage) return false;
  if (swap.isIntermediateHop || swap.trader === null) return false;
  return who.poolWallets.find(swap.pool, swap.trader)?.isOrganic === true;
}

function markSandwiches({ who, at }: WalletFold, relabelled: readonly PricedSwap[]): void {
  for (const { swap, exclusion } of relabelled) {
    const { trader } = swap;
    if (exclusion !== 'sandwich_leg' || trader === null) continue;
    const id = who.ids.find(trader);
    if (id === -1 || !who.wallets.has(id)) continue;
    who.wallets.applySandwichLeg(id, at);
    who.poolWallets.markSandwich(swap.pool, trader);
  }
}

/** Returns wallets that are smart and whose score changed. */
function settleEpisodes({ who, at }: WalletFold): Set<Address> {
  const scored = new Set<Address>();
  for (const episode of who.positions.takeClosed()) {
    const isCopied = who.follows.isCopied(episode.mint, episode.wallet);
    who.smart.applyEpisode({ ...episode, isCopied });
    if (who.smart.weightOf(episode.wallet, at.timeMs) !== null) scored.add(episode.wallet);
    if (episode.isForced) continue;
    const heldMs = Math.max(0, episode.closedMs - episode.startMs);
    who.wallets.applyClosedHold(who.ids.idOf(episode.wallet), heldMs / 1_000);
  }
  return scored;
}

function settleClasses({ who }: WalletFold): void {
  for (const flip of who.wallets.takeFlips()) {
    const wallet = who.ids.addressOf(flip.wallet);
    const isBot = flip.class === 'bot';
    who.poolWallets.setWalletClass(wallet, isBot);
    who.smart.setBot(wallet, isBot);
  }
}

/** Returns the positions of smart wallets among those that changed. */
function settlePositions({ who, books, at }: WalletFold): PairSet {
  const smart = new PairSet();
  for (const { mint, wallet } of who.positions.takeChanged()) {
    const position = who.positions.get(mint, wallet);
    if (position === null) continue;
    for (const { pool } of books.pools.ofMint(mint)) {
      who.poolWallets.positionChanged(pool, wallet, position);
    }
    if (who.smart.weightOf(wallet, at.timeMs) !== null) smart.add(mint, wallet);
  }
  return smart;
}

/** Keeps what a smart wallet has of a mint; whether that makes it a holder is asked at readings. */
function reviewHolding({ who, books, at }: WalletFold, mint: Address, wallet: Address): void {
  const weight = who.smart.weightOf(wallet, at.timeMs);
  const costUsd = who.positions.get(mint, wallet)?.costUsd;
  const hasSome = books.holders.balanceOfOwner(mint, wallet) > 0n;
  const isKept = weight !== null && costUsd !== undefined && hasSome;
  who.smartHolders.set(mint, wallet, isKept ? { score: weight * 100, costUsd } : null);
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
