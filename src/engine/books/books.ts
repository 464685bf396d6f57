import { CandleBook } from '../../fold/market/candles.ts';
import { HolderBook } from '../../fold/market/holders.ts';
import { LockBook } from '../../fold/market/locks.ts';
import type { Moment } from '../../fold/market/logical-time.ts';
import { PoolBook } from '../../fold/market/pools.ts';
import { RobustPriceBook } from '../../fold/market/robust-price.ts';
import { SolPriceBook } from '../../fold/market/sol-price.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import { TokenBook } from '../../fold/market/tokens.ts';
import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { LockedLiquidity } from '../../model/pool-record.ts';
import { type Address, asRawAmount, type PriceE18, type RawAmount } from '../../model/units.ts';

/** The aggregates that a slot updates. */
export interface Books {
  readonly solPrices: SolPriceBook;
  readonly tokens: TokenBook;
  readonly pools: PoolBook;
  readonly prices: RobustPriceBook;
  readonly candles: CandleBook;
  readonly holders: HolderBook;
  readonly locks: LockBook;
}

/** Creates books that number addresses by `ids` and record their changes in `undo`. */
export function createBooks(
  fallbackSolUsd: PriceE18 | null,
  ids: AddressIds<Address>,
  undo: UndoLog,
): Books {
  return {
    solPrices: new SolPriceBook({ fallbackUsd: fallbackSolUsd }, undo),
    tokens: new TokenBook(undo, ids),
    pools: new PoolBook(undo, ids),
    prices: new RobustPriceBook(undo, ids),
    candles: new CandleBook(undo, ids),
    holders: new HolderBook(ids, undo),
    locks: new LockBook(ids, undo),
  };
}

/** Supply of a token minus the balance of burn addresses; null when the supply is unknown. */
export function circulatingSupply(
  { holders }: Books,
  token: TokenState | undefined,
): RawAmount | null {
  if (token === undefined || token.supplyRaw === null) return null;
  return asRawAmount(token.supplyRaw - holders.burned(token.mint));
}

/**
 * The part of a pool's liquidity that its providers cannot withdraw at `timeMs` (METHODS §1.1): LP
 * tokens burned, at burn addresses, or locked permanently or for long, out of all LP tokens issued
 * and not withdrawn. Null for pools without LP tokens and when the indexed history does not show
 * their supply.
 */
export function lockedLiquidity(
  { tokens, holders, locks }: Books,
  pool: Address,
  timeMs: number,
): LockedLiquidity | null {
  const lpMint = locks.lpMintOf(pool);
  const supplyRaw = lpMint === null ? null : (tokens.get(lpMint)?.supplyRaw ?? null);
  if (lpMint === null || supplyRaw === null) return null;
  const burnedRaw = locks.burned(lpMint);
  const issuedRaw = asRawAmount(supplyRaw + burnedRaw);
  const outOfReach = burnedRaw + holders.burned(lpMint) + locks.lockedAt(lpMint, timeMs);
  // Fees of LP tokens locked at the pool are paid by burning some of them; no event reports that.
  if (outOfReach > issuedRaw) return { issuedRaw, lockedRaw: issuedRaw };
  return { issuedRaw, lockedRaw: asRawAmount(outOfReach) };
}

/** Marks the pool of an LP mint as changed; does nothing for any other mint. */
export function touchPoolOfLpMint({ pools, locks }: Books, mint: Address, at: Moment): void {
  const address = locks.poolOf(mint);
  const pool = address === null ? undefined : pools.get(address);
  if (pool !== undefined) pools.touch(pool, at);
}
