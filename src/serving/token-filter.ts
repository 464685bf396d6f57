import type { TokenBatch, TokenUpdate, TrackingUpdate } from '../gathering/messages.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { PoolRecord, SlotChanges, TokenRecord } from '../model/derived.ts';
import { isQuoteMint } from '../model/quote-mints.ts';
import type { Address } from '../model/units.ts';

export interface FilteredUpdates extends Pick<TokenBatch, 'tokens' | 'tracked'> {
  /** What was told before of the tokens of `tracked`; null: nothing was. */
  readonly before: readonly (readonly [Address, TrackingUpdate | null])[];
}

interface FilteredState {
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
}

/** Tokens of which it is remembered what was told; of others it is told again, which changes nothing. */
const REMEMBERED_MAX = 200_000;
/** Posts of a token are collected once nine tenths of a pool are out of reach (METHODS §1.1). */
const LOCKED_TENTHS = 9n;
/** A cashtag may be a token's own with more in its pool than this (METHODS §8.1), in nano-USD. */
const LIQUID_NANO_USD = 10_000n * 1_000_000_000n;

/** Of all that changes, what the gathering thread has to know and does not. */
export class TokenFilter {
  private readonly stateOf: () => FilteredState;
  private readonly told = new RecentMap<Address, string>(REMEMBERED_MAX);
  private readonly tracked = new RecentMap<Address, TrackingUpdate>(REMEMBERED_MAX);
  private lastTimeMs = 0;

  constructor(stateOf: () => FilteredState) {
    this.stateOf = stateOf;
  }

  /** Nothing was told but of the tokens that are tracked. */
  reset(tracked: readonly TrackingUpdate[]): void {
    this.told.clear();
    this.tracked.clear();
    for (const updates of tracked) this.tracked.set(updates.mint, updates);
  }

  updatesOf({ tokens, pools, timeMs }: SlotChanges): FilteredUpdates {
    if (timeMs > 0) this.lastTimeMs = timeMs;
    return {
      tokens: tokens.flatMap((token) => this.tokenUpdates(token)),
      ...this.trackingUpdates(pools, () => this.lastTimeMs),
    };
  }

  /** Of records as they are by now; when a token was first tracked is then not known better. */
  updatesOfRecords(tokens: readonly TokenRecord[], pools: readonly PoolRecord[]): FilteredUpdates {
    return {
      tokens: tokens.flatMap((token) => this.tokenUpdates(token)),
      ...this.trackingUpdates(pools, ({ updatedAtMs }) => updatedAtMs ?? 0),
    };
  }

  /** What was told of a slot is not so. */
  forget({ tokens, before }: FilteredUpdates): void {
    for (const { mint } of tokens) this.told.delete(mint);
    for (const [mint, updates] of before) {
      if (updates === null) this.tracked.delete(mint);
      else this.tracked.set(mint, updates);
    }
  }

  private tokenUpdates(token: TokenRecord): TokenUpdate[] {
    const { mint, name, symbol, creationSlot: createdSlot, createdAtMs } = token;
    const uri = token.metadata?.uri || null;
    const told = JSON.stringify([uri, name, symbol]);
    if (this.told.get(mint) === told) return [];
    this.told.set(mint, told);
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
      // Without any time yet; the pool's next change tells it.
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

/** First of a migration and of locked liquidity (METHODS §8.1). */
function beginsTracking({ baseMint, migratedTo, lockedLiquidity }: PoolRecord): boolean {
  if (isQuoteMint(baseMint)) return false;
  if (migratedTo !== null) return true;
  if (lockedLiquidity === null || lockedLiquidity.issuedRaw <= 0n) return false;
  return lockedLiquidity.lockedRaw * 10n >= lockedLiquidity.issuedRaw * LOCKED_TENTHS;
}
