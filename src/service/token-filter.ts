import type { TokenBatch, TokenUpdate, TrackingUpdate } from '../gathering/messages.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import { isQuoteMint } from '../model/quote-mints.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address } from '../model/units.ts';

export interface FilteredUpdates extends Pick<TokenBatch, 'tokens' | 'tracked'> {
  /** Previous tracking updates of the tokens in `tracked`; null for a newly tracked one. */
  readonly before: readonly (readonly [Address, TrackingUpdate | null])[];
}

interface FilteredState {
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
}

/** Number of tokens whose last update is remembered. Others are sent again, which has no effect. */
const REMEMBERED_MAX = 200_000;
/**
 * Posts of a token are collected once nine tenths of a pool's liquidity are locked (METHODS §1.1).
 */
const LOCKED_TENTHS = 9n;
/**
 * A token may own a cashtag if its pool has more liquidity than this (METHODS §8.1), in nano-USD.
 */
const LIQUID_NANO_USD = 10_000n * 1_000_000_000n;

/** Filters changes down to the updates the gathering thread needs and does not have yet. */
export class TokenFilter {
  private readonly stateOf: () => FilteredState;
  private readonly sent = new RecentMap<Address, string>(REMEMBERED_MAX);
  private readonly tracked = new RecentMap<Address, TrackingUpdate>(REMEMBERED_MAX);
  private lastTimeMs = 0;

  constructor(stateOf: () => FilteredState) {
    this.stateOf = stateOf;
  }

  /** Forgets all sent updates, except the tracked tokens. */
  reset(tracked: readonly TrackingUpdate[]): void {
    this.sent.clear();
    this.tracked.clear();
    for (const update of tracked) this.tracked.set(update.mint, update);
  }

  updatesOf({ tokens, pools, timeMs }: SlotChanges): FilteredUpdates {
    if (timeMs > 0) this.lastTimeMs = timeMs;
    return {
      tokens: tokens.flatMap((token) => this.tokenUpdates(token)),
      ...this.trackingUpdates(pools, () => this.lastTimeMs),
    };
  }

  /** Updates for current records, for which the exact start of tracking is not known. */
  updatesOfRecords(tokens: readonly TokenRecord[], pools: readonly PoolRecord[]): FilteredUpdates {
    return {
      tokens: tokens.flatMap((token) => this.tokenUpdates(token)),
      ...this.trackingUpdates(pools, ({ updatedAtMs }) => updatedAtMs ?? 0),
    };
  }

  /** Undoes the updates of a reverted slot. */
  forget({ tokens, before }: FilteredUpdates): void {
    for (const { mint } of tokens) this.sent.delete(mint);
    for (const [mint, update] of before) {
      if (update === null) this.tracked.delete(mint);
      else this.tracked.set(mint, update);
    }
  }

  private tokenUpdates(token: TokenRecord): TokenUpdate[] {
    const { mint, name, symbol, creationSlot: createdSlot, createdAtMs } = token;
    const uri = token.metadata?.uri || null;
    const text = JSON.stringify([uri, name, symbol]);
    if (this.sent.get(mint) === text) return [];
    this.sent.set(mint, text);
    return [{ mint, uri, name, symbol, createdSlot, createdAtMs }];
  }

  private trackingUpdates(
    pools: readonly PoolRecord[],
    sinceMsOf: (pool: PoolRecord) => number,
  ): Pick<FilteredUpdates, 'tracked' | 'before'> {
    const updates = new Map<Address, TrackingUpdate>();
    const before = new Map<Address, TrackingUpdate | null>();
    for (const pool of pools) {
      const mint = pool.baseMint;
      const known = this.tracked.get(mint);
      if (known === undefined && !beginsTracking(pool)) continue;
      const trackingSinceMs = known?.trackingSinceMs ?? sinceMsOf(pool);
      // No time is known yet: the next change of the pool starts tracking.
      if (trackingSinceMs === 0) continue;
      const next = { mint, trackingSinceMs, ...this.standing(mint) };
      const isSame = known?.symbol === next.symbol && known.isLiquid === next.isLiquid;
      if (isSame) continue;
      if (!before.has(mint)) before.set(mint, known ?? null);
      this.tracked.set(mint, next);
      updates.set(mint, next);
    }
    return { tracked: [...updates.values()], before: [...before] };
  }

  private standing(mint: Address): Pick<TrackingUpdate, 'symbol' | 'isLiquid'> {
    const state = this.stateOf();
    const token = state.token(mint);
    const primary = token?.primaryPool ?? null;
    const liquidityUsd = primary === null ? null : (state.pool(primary)?.liquidityUsd ?? null);
    return {
      symbol: token?.symbol ?? null,
      isLiquid: liquidityUsd !== null && liquidityUsd > LIQUID_NANO_USD,
    };
  }
}

/** True from the first migration or locked liquidity on (METHODS §8.1). */
function beginsTracking({ baseMint, migratedTo, lockedLiquidity }: PoolRecord): boolean {
  if (isQuoteMint(baseMint)) return false;
  if (migratedTo !== null) return true;
  if (lockedLiquidity === null || lockedLiquidity.issuedRaw <= 0n) return false;
  return lockedLiquidity.lockedRaw * 10n >= lockedLiquidity.issuedRaw * LOCKED_TENTHS;
}
