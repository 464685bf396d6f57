import type { PoolRecord } from './pool-record.ts';
import { isUsdKnown } from './priced-volume.ts';
import { WRAPPED_SOL } from './program.ts';
import {
  type Address,
  asLamports,
  asUsdNano,
  type Lamports,
  type PriceE18,
  type RawAmount,
  type UsdNano,
} from './units.ts';

/** Figures of a pool that its record does not have; null if unknown, or if nothing asks for them. */
export interface WiderFigures {
  /** Value of the circulating supply of the base at the price of the pool. */
  readonly marketCapUsd: UsdNano | null;
  /** In units of 10^-4. */
  readonly organicRatioE4: bigint | null;
  readonly rawHolders: number | null;
  readonly smartMoneyInflux10min: UsdNano | null;
  /** Changes of the price in windows, in units of 10^-4; null also while windows are incomplete. */
  readonly priceChange5mE4: bigint | null;
  readonly priceChange1hE4: bigint | null;
  /**
   * Highest confidence of the published findings of the token, in units of 10^-4, 0 without one;
   * null also while findings are incomplete.
   */
  readonly fraudConfidenceE4: bigint | null;
}

export const NO_WIDER_FIGURES: WiderFigures = {
  marketCapUsd: null,
  organicRatioE4: null,
  rawHolders: null,
  smartMoneyInflux10min: null,
  priceChange5mE4: null,
  priceChange1hE4: null,
  fraudConfidenceE4: null,
};

/**
 * Figures that trigger conditions are evaluated on and that firings report: a pool as its SOL side
 * and its token side.
 */
export interface PoolFigures extends WiderFigures {
  readonly pool: Address;
  /** The side that is not SOL; for a pool without SOL, the side that is priced. */
  readonly tokenMint: Address;
  readonly tokenDecimals: number;
  /**
   * SOL held by the pool, regardless of its virtual reserves; null for a pool without SOL, and
   * while reserves are unknown.
   */
  readonly solLamports: Lamports | null;
  readonly tokenRaw: RawAmount | null;
  readonly buyCount: number;
  readonly sellCount: number;
  /** All three are null while less than 0.9 of the volume is priced. */
  readonly buyVolumeUsd: UsdNano | null;
  readonly sellVolumeUsd: UsdNano | null;
  readonly totalVolumeUsd: UsdNano | null;
  /**
   * Robust price of the base; null if unknown. Firings of earlier versions have neither it nor what
   * was added later.
   */
  readonly priceUsd: PriceE18 | null;
  readonly liquidityUsd: UsdNano | null;
}

export function poolFiguresOf(
  record: PoolRecord,
  wider: WiderFigures = NO_WIDER_FIGURES,
): PoolFigures {
  const { reserves, buyVolumeUsd, sellVolumeUsd } = record;
  // SOL is the quote except in pools with a stablecoin, where it is the base.
  const isSolBase = record.baseMint === WRAPPED_SOL;
  const hasSol = isSolBase || record.quoteMint === WRAPPED_SOL;
  const solRaw: bigint | undefined = isSolBase ? reserves?.base : reserves?.quote;
  const tokenRaw = isSolBase ? reserves?.quote : reserves?.base;
  const isKnown = isUsdKnown(record);
  return {
    pool: record.pool,
    tokenMint: isSolBase ? record.quoteMint : record.baseMint,
    tokenDecimals: isSolBase ? record.quoteDecimals : record.baseDecimals,
    // The smallest unit of wrapped SOL is a lamport.
    solLamports: hasSol && solRaw !== undefined ? asLamports(solRaw) : null,
    tokenRaw: tokenRaw ?? null,
    buyCount: record.buyCount,
    sellCount: record.sellCount,
    buyVolumeUsd: isKnown ? buyVolumeUsd : null,
    sellVolumeUsd: isKnown ? sellVolumeUsd : null,
    totalVolumeUsd: isKnown ? asUsdNano(buyVolumeUsd + sellVolumeUsd) : null,
    priceUsd: record.priceUsd,
    liquidityUsd: record.liquidityUsd,
    ...wider,
  };
}
