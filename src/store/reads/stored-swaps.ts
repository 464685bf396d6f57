import type { PricedSwap, PriceExclusion } from '../../model/derived.ts';
import type { Venue } from '../../model/program.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, PriceE18, RawAmount, Signature, Slot, UsdNano } from '../../model/units.ts';

export interface SwapRow {
  readonly pool: string;
  readonly time_ms: string;
  readonly slot: string;
  readonly tx_index: number;
  readonly outer_ix: number;
  readonly inner_ix: number;
  readonly signature: string;
  readonly venue: string;
  readonly base_mint: string;
  readonly quote_mint: string;
  readonly base_decimals: number;
  readonly quote_decimals: number;
  /** Empty for a swap without a known trader. */
  readonly trader: string;
  readonly side: Side;
  readonly pool_base_delta: string;
  readonly pool_quote_delta: string;
  readonly trader_base_delta: string;
  readonly trader_quote_delta: string | null;
  readonly router: string | null;
  readonly price: string | null;
  readonly price_usd: string | null;
  readonly value_usd: string | null;
  readonly exclusion: string | null;
  readonly sets_token_price: boolean;
  readonly is_organic: boolean;
}

/** Swaps of a pool, or of all pools of a mint, in a time range. */
export const SWAPS_IN_RANGE = `
SELECT * EXCEPT (epoch, version)
FROM swaps FINAL
WHERE epoch = {epoch:UInt32} AND time_ms >= {from:Int64} AND time_ms < {to:Int64}
  AND pool IN (
    SELECT {scope:String}
    UNION ALL
    SELECT pool FROM pools WHERE epoch = {epoch:UInt32} AND base_mint = {scope:String})
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Converts a row to a swap; fields that the table does not store are null or false. */
export function toPricedSwap(row: SwapRow): PricedSwap {
  return {
    slot: Number(row.slot) as Slot,
    txIndex: row.tx_index,
    signature: row.signature as Signature,
    timeMs: Number(row.time_ms),
    // Only swaps with a known time are stored.
    isTimeKnown: true,
    price: maybe<PriceE18>(row.price),
    priceUsd: maybe<PriceE18>(row.price_usd),
    valueUsd: maybe<UsdNano>(row.value_usd),
    quoteChain: null,
    exclusion: row.exclusion as PriceExclusion | null,
    setsTokenPrice: row.sets_token_price,
    isOrganic: row.is_organic,
    swap: {
      kind: 'swap',
      outerIx: row.outer_ix,
      innerIx: row.inner_ix,
      venue: row.venue as Venue,
      pool: row.pool as Address,
      baseMint: row.base_mint as Address,
      quoteMint: row.quote_mint as Address,
      baseDecimals: row.base_decimals,
      quoteDecimals: row.quote_decimals,
      trader: row.trader === '' ? null : (row.trader as Address),
      side: row.side,
      poolBaseDelta: BigInt(row.pool_base_delta) as RawAmount,
      poolQuoteDelta: BigInt(row.pool_quote_delta) as RawAmount,
      traderBaseDelta: BigInt(row.trader_base_delta) as RawAmount,
      traderQuoteDelta: maybe<RawAmount>(row.trader_quote_delta),
      router: row.router as Address | null,
      reserves: null,
      feeQuoteRaw: null,
      isIntermediateHop: false,
      isAtomicRoundTrip: false,
      isPureArbitrage: false,
      quarantine: null,
    },
  };
}

function maybe<Amount extends bigint>(text: string | null): Amount | null {
  return text === null ? null : (BigInt(text) as Amount);
}
