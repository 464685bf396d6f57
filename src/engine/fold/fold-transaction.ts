import { knownTimeMs, type Moment } from '../../fold/market/logical-time.ts';
import type { PoolIdentity, PoolState } from '../../fold/market/pool-state.ts';
import { type SettlingTrade, settledTrade } from '../../fold/market/settling-trade.ts';
import { priceSwap } from '../../fold/market/usd.ts';
import type {
  ChainEvent,
  Launch,
  Liquidity,
  Migrate,
  PoolCreated,
} from '../../model/chain-event.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { chainOfQuote } from '../../model/quote-chain.ts';
import { isStable } from '../../model/quote-mints.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import type { LiquidityEvent } from '../../model/token-record.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { type Books, touchPoolOfLpMint } from '../books/books.ts';
import { type QuotePrices, quoteToLamports, quoteToUsd } from '../books/quote-prices.ts';

/** Inputs of foldTransaction. */
export interface FoldStep {
  readonly books: Books;
  /** Quote prices of the slot. */
  readonly quotes: QuotePrices;
  readonly at: Moment;
  readonly transaction: TransactionFacts;
}

/**
 * Applies the events of a successful transaction to the books, except candles: which trades set a
 * token's price is known only at the end of the slot. Adds its swaps to `trades`, in order.
 */
export function foldTransaction(step: FoldStep, trades: SettlingTrade[]): void {
  const before = trades.length;
  for (const event of step.transaction.events) {
    if (event.kind === 'swap') trades.push(foldSwap(step, event));
    else foldEvent(step, event);
  }
  const swaps = trades.length - before;
  if (swaps === 1) countTrade(step, trades[before]);
  else if (swaps > 1) countTrades(step, trades.slice(before));
  for (const event of step.transaction.events) settle(step, event);
}

/** A quarantined swap is returned with its label and changes no book. */
function foldSwap(step: FoldStep, swap: Swap): SettlingTrade {
  const { books, quotes, at, transaction } = step;
  const { txIndex, signature, terminal } = transaction;
  const position = { ...at, txIndex, signature, terminal };
  const priced = priceSwap(swap, position, quotes.priceOf(swap.quoteMint));
  if (!isBelieved(priced)) return settledTrade(priced);
  const known = books.pools.get(swap.pool);
  if (known !== undefined && isOfOtherPair(swap, known)) {
    return settledTrade({ ...priced, exclusion: 'quarantined' });
  }
  const pool = known ?? openOlderPool(step, swap);
  books.pools.applySwap(pool, priced, at);
  valueQuote(step, pool);
  return books.prices.applySwap(priced);
}

/** Updates the USD price of a pool's quote token if that price depends on other pools. */
function valueQuote({ books, quotes }: FoldStep, pool: PoolState): void {
  const quoteUsd = chainOfQuote(quotes.priceOf(pool.quoteMint))?.usd ?? null;
  if (quoteUsd !== pool.quoteUsd) books.pools.setQuoteUsd(pool, quoteUsd);
}

/** False for swaps whose legs contradict the vault balances. */
function isBelieved({ exclusion }: PricedSwap): boolean {
  return exclusion !== 'quarantined';
}

/** In a program without a decoder one vault may serve several pairs; a pool has one pair. */
function isOfOtherPair(swap: Swap, { baseMint, quoteMint }: PoolIdentity): boolean {
  if (swap.venue !== 'inferred') return false;
  return swap.baseMint !== baseMint || swap.quoteMint !== quoteMint;
}

function foldEvent(step: FoldStep, event: Exclude<ChainEvent, Swap>): void {
  const { tokens, pools, locks } = step.books;
  const { at, transaction } = step;
  switch (event.kind) {
    case 'mintCreated':
      tokens.applyMintCreated(event, transaction.signers[0] ?? transaction.feePayer, at);
      break;
    case 'metadataSet':
      tokens.applyMetadataSet(event, at);
      break;
    case 'authority':
      tokens.applyAuthority(event, at);
      break;
    case 'tokenTransfer':
      if (event.transferKind === 'mintTo' || event.transferKind === 'burn') {
        tokens.applySupply(event, at);
        if (event.transferKind === 'burn') locks.applyBurn(event);
        touchPoolOfLpMint(step.books, event.mint, at);
      }
      break;
    case 'launch':
      foldLaunch(step, event);
      break;
    case 'poolCreated':
      foldPoolCreated(step, event);
      break;
    case 'liquidity':
      foldLiquidity(step, event);
      break;
    case 'curveComplete': {
      const curve = pools.get(event.pool);
      if (curve !== undefined) pools.applyComplete(curve, at);
      break;
    }
    case 'migrate':
      foldMigrate(step, event);
      break;
    case 'lpLock': {
      locks.applyLpLock(event);
      const pool = pools.get(event.pool);
      if (pool !== undefined) pools.touch(pool, at);
      break;
    }
    case 'tokenLock':
      locks.applyTokenLock(event);
      touchPoolOfLpMint(step.books, event.mint, at);
      break;
    case 'mintExtension':
      tokens.applyExtension(event, at);
      break;
    case 'feeSweep':
    case 'poolBoost': {
      const pool = pools.get(event.pool);
      if (pool !== undefined) pools.applySetAside(pool, event, at);
      break;
    }
    case 'creatorChange':
      tokens.applyCreatorChange(event, at);
      break;
    case 'solTransfer':
      break;
  }
}

function foldLaunch(step: FoldStep, event: Launch): void {
  const { books, at } = step;
  books.tokens.applyLaunch(event, at);
  const identity = identify(step, { ...event, baseMint: event.mint });
  const pool = books.pools.get(event.pool) ?? (identity && openPool(step, identity));
  if (pool === null) return;
  books.pools.applyLaunch(pool, event, at);
  valueQuote(step, pool);
}

function foldPoolCreated(step: FoldStep, event: PoolCreated): void {
  const { books, at } = step;
  const pool = books.pools.get(event.pool) ?? openPool(step, event);
  if (event.vaultOwner !== null) {
    books.holders.addPoolOwner(event.vaultOwner, [event.baseMint, event.quoteMint], at);
  }
  books.pools.applyPoolCreated(pool, event, at);
  valueQuote(step, pool);
  books.locks.applyPoolCreated(event);
  if (event.quoteRaw > 0n) noteLiquidity(step, pool, event.baseRaw, event.quoteRaw);
}

function foldLiquidity(step: FoldStep, event: Liquidity): void {
  const { books, at } = step;
  const identity = identify(step, event);
  const pool = books.pools.get(event.pool) ?? (identity && openOlderPool(step, identity));
  if (pool === null) return;
  const wasCreatedEmpty = pool.createdSlot !== null && pool.reserves?.quote === 0n;
  books.pools.applyLiquidity(pool, event, at);
  valueQuote(step, pool);
  if (wasCreatedEmpty && event.poolQuoteDelta > 0n) {
    noteLiquidity(step, pool, event.poolBaseDelta, event.poolQuoteDelta);
  }
}

function foldMigrate(step: FoldStep, event: Migrate): void {
  const { books, at } = step;
  const curve = books.pools.get(event.fromPool);
  if (curve !== undefined) books.pools.applyMigrate(curve, event, at);
  const quote = curve ?? { quoteMint: WRAPPED_SOL, quoteDecimals: SOL_DECIMALS };
  const moved = toLiquidityEvent(
    step,
    { ...quote, pool: event.toPool },
    event.baseRaw,
    event.quoteRaw,
  );
  books.tokens.applyMigration(event.mint, moved, at);
}

/** Runs after all events: mints of a launch and the pool of a migration follow their event. */
function settle(step: FoldStep, event: ChainEvent): void {
  const { tokens, pools } = step.books;
  if (event.kind === 'launch') tokens.settleLaunch(event, step.at);
  if (event.kind !== 'migrate') return;
  const target = pools.get(event.toPool);
  const token = tokens.get(event.mint);
  if (target === undefined || token === undefined) return;
  tokens.setPrimaryPool(token, target.pool, step.at);
}

/** Counts the only swap of a transaction, as most transactions with a swap have. */
function countTrade({ books: { pools } }: FoldStep, trade: SettlingTrade | undefined): void {
  if (trade === undefined || !isBelieved(trade.priced)) return;
  const { swap } = trade.priced;
  const pool = pools.get(swap.pool);
  if (pool !== undefined) pools.countTrades(pool, [swap]);
}

function countTrades({ books: { pools } }: FoldStep, folded: readonly SettlingTrade[]): void {
  const swapsByPool = new Map<Address, Swap[]>();
  for (const { priced } of folded) {
    if (!isBelieved(priced)) continue;
    const swaps = swapsByPool.get(priced.swap.pool);
    if (swaps === undefined) swapsByPool.set(priced.swap.pool, [priced.swap]);
    else swaps.push(priced.swap);
  }
  for (const [address, swaps] of swapsByPool) {
    const pool = pools.get(address);
    if (pool !== undefined) pools.countTrades(pool, swaps);
  }
}

/** Opens a pool that was created before the indexed history. */
function openOlderPool(step: FoldStep, identity: PoolIdentity): PoolState {
  const pool = openPool(step, identity);
  const { tokens } = step.books;
  const token = tokens.get(identity.baseMint);
  if (token !== undefined) tokens.noteOlderPool(token);
  return pool;
}

/** Opens a pool; the first pool of a token prices it until a larger one appears. */
function openPool({ books, at }: FoldStep, identity: PoolIdentity): PoolState {
  const token = books.tokens.ensure(identity.baseMint, identity.baseDecimals, at);
  const pool = books.pools.open(identity, at);
  if (token.primaryPool === null) books.tokens.setPrimaryPool(token, pool.pool, at);
  // Vaults of unknown programs count as holders: otherwise a fabricated swap would hide them.
  if (identity.venue !== 'inferred') {
    books.holders.addPoolOwner(pool.pool, [identity.baseMint, identity.quoteMint], at);
  }
  return pool;
}

function noteLiquidity(
  step: FoldStep,
  pool: PoolState,
  baseRaw: RawAmount,
  quoteRaw: RawAmount,
): void {
  const event = toLiquidityEvent(step, pool, baseRaw, quoteRaw);
  step.books.tokens.applyFirstLiquidity(pool.baseMint, event, step.at);
}

function toLiquidityEvent(
  { quotes, at }: FoldStep,
  { pool, quoteMint, quoteDecimals }: Pick<PoolIdentity, 'pool' | 'quoteMint' | 'quoteDecimals'>,
  baseRaw: RawAmount,
  quoteRaw: RawAmount,
): LiquidityEvent {
  return {
    pool,
    quoteMint,
    lamports: quoteToLamports(quotes, quoteMint, quoteRaw, quoteDecimals),
    baseRaw,
    valueUsd: quoteToUsd(quotes, quoteMint, quoteRaw, quoteDecimals),
    slot: at.slot,
    timeMs: knownTimeMs(at),
  };
}

/** The identity of a pool whose event has no decimals; null when they are unknown. */
function identify(
  step: FoldStep,
  { pool, venue, baseMint, quoteMint }: Omit<PoolIdentity, 'baseDecimals' | 'quoteDecimals'>,
): PoolIdentity | null {
  const baseDecimals = decimalsOf(step, baseMint);
  const quoteDecimals = decimalsOf(step, quoteMint);
  if (baseDecimals === null || quoteDecimals === null) return null;
  return { pool, venue, baseMint, quoteMint, baseDecimals, quoteDecimals };
}

function decimalsOf({ books, transaction }: FoldStep, mint: Address): number | null {
  if (mint === WRAPPED_SOL) return SOL_DECIMALS;
  if (isStable(mint)) return STABLE_DECIMALS;
  const known = books.tokens.get(mint)?.decimals ?? null;
  if (known !== null) return known;
  const balance = transaction.tokenBalances.find((change) => change.mint === mint);
  if (balance !== undefined) return balance.decimals;
  for (const event of transaction.events) {
    if (event.kind === 'mintCreated' && event.mint === mint) return event.decimals;
  }
  return null;
}

const SOL_DECIMALS = 9;
const STABLE_DECIMALS = 6;
