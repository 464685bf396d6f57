import type { PricedSwap, SlotChanges } from '../../src/model/derived.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** The value of an amount of a quote token, and its sources. */
export interface NaiveQuote {
  readonly usd: bigint;
  /** Mints and pools from the token on; empty for SOL and stablecoins. */
  readonly path: readonly (readonly [mint: Address, pool: Address])[];
  readonly reference: Address;
  readonly setMs: number;
  readonly setSlot: number;
  readonly thinnestUsd: bigint | null;
}

/** Time and SOL price of a quote. */
interface Asked {
  readonly nowMs: number;
  readonly solUsd: bigint | null;
}

const E18 = 10n ** 18n;
const CURVES = ['pump', 'raydium_launchlab', 'meteora_dbc', 'moonshot', 'boop'];

/**
 * USD prices of quote tokens, followed from the token down to SOL or a stablecoin, from published
 * records alone: which pool is primary, its reserves, and which trade set its price. For markets in
 * which no pool price returns within a slot, which could be a spike.
 */
export class NaiveQuotes {
  private readonly primary = new Map<Address, Address | null>();
  private readonly pools = new Map<Address, PoolRecord>();
  private readonly swaps = new Map<Address, Map<string, PricedSwap>>();

  add({ tokens, pools, swaps }: Pick<SlotChanges, 'tokens' | 'pools' | 'swaps'>): void {
    for (const { mint, primaryPool } of tokens) this.primary.set(mint, primaryPool);
    for (const record of pools) this.pools.set(record.pool, record);
    for (const priced of swaps) {
      const { slot, txIndex, swap } = priced;
      const ofPool = this.swaps.get(swap.pool) ?? new Map<string, PricedSwap>();
      this.swaps.set(swap.pool, ofPool);
      ofPool.set([slot, txIndex, swap.outerIx, swap.innerIx].join(), priced);
    }
  }

  /** After the slots that were added; null where it is unknown. */
  quote(mint: Address, asked: Asked, above: readonly Address[] = []): NaiveQuote | null {
    if ([USDC, USDT, WRAPPED_SOL].includes(mint)) {
      const usd = mint === WRAPPED_SOL ? asked.solUsd : E18;
      const link = { path: [], reference: mint, setMs: asked.nowMs, setSlot: 0, thinnestUsd: null };
      return usd === null ? null : { ...link, usd };
    }
    if (above.includes(mint) || above.length === 4) return null;
    const pool = this.pools.get(this.primary.get(mint) ?? ('' as Address));
    const set = pool === undefined ? undefined : this.settingSwap(pool);
    if (pool === undefined || set === undefined || pool.venue === 'inferred') return null;
    if (asked.nowMs - set.timeMs > 900_000) return null;
    const below = this.quote(pool.quoteMint, asked, [...above, mint]);
    return below === null ? null : linked([mint, pool], set, below);
  }

  /** The newest allowed trade at the pool's price. */
  private settingSwap(pool: PoolRecord): PricedSwap | undefined {
    return [...(this.swaps.get(pool.pool)?.values() ?? [])]
      .filter(({ exclusion, price }) => exclusion === null && price === pool.price)
      .sort((one, other) => one.slot - other.slot)
      .at(-1);
  }
}

/** One more link above the quote token of its pool. */
function linked(
  [mint, pool]: readonly [Address, PoolRecord],
  set: PricedSwap,
  below: NaiveQuote,
): NaiveQuote | null {
  const liquidUsd = liquidityOf(pool, below.usd);
  if (liquidUsd === null || liquidUsd < 10_000n * 10n ** 9n) return null;
  const usd = halfUp((pool.price ?? 0n) * below.usd, E18);
  if (usd === 0n || usd >= 2n ** 255n) return null;
  const isOldest = below.path.length === 0 || set.timeMs < below.setMs;
  const isThinnest = below.thinnestUsd === null || liquidUsd < below.thinnestUsd;
  return {
    usd,
    path: [[mint, pool.pool], ...below.path],
    reference: below.reference,
    setMs: isOldest ? set.timeMs : below.setMs,
    setSlot: isOldest ? set.slot : below.setSlot,
    thinnestUsd: isThinnest ? liquidUsd : below.thinnestUsd,
  };
}

/** Twice the quote side: a curve's reserves, else the reserves that determine the price. */
function liquidityOf({ venue, reserves, quoteDecimals }: PoolRecord, usd: bigint): bigint | null {
  if (reserves === null) return null;
  const { quote, virtualQuote } = reserves;
  const liquidRaw = CURVES.includes(venue) ? quote : (virtualQuote ?? quote);
  return 2n * halfUp(liquidRaw * usd, 10n ** BigInt(quoteDecimals + 9));
}

function halfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator + denominator;
  const floor = doubled / (2n * denominator);
  return doubled < 0n && doubled % (2n * denominator) !== 0n ? floor - 1n : floor;
}
