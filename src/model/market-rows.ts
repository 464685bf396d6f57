import type { Candle } from './derived.ts';
import type { Classification } from './fraud.ts';
import type { Side } from './swap.ts';
import type { Address, UsdNano } from './units.ts';

/** The part of a candle that windows are made of. */
export interface WindowCandle
  extends Pick<
    Candle,
    | 'scope'
    | 'openTimeMs'
    | 'trades'
    | 'buys'
    | 'volumeUsd'
    | 'baseVolumeRaw'
    | 'pricedBaseVolumeRaw'
  > {
  readonly usd: Pick<NonNullable<Candle['usd']>, 'open' | 'close'> | null;
}

/** A swap that is not quarantined. */
export interface WindowTrade {
  readonly timeMs: number;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly trader: Address | null;
  readonly side: Side;
  readonly valueUsd: UsdNano | null;
  readonly isOrganic: boolean;
}

/** Rows of a range of time, oldest first. */
export interface MarketPortion {
  readonly candles: readonly WindowCandle[];
  readonly trades: readonly WindowTrade[];
}

/** The part of a finding that a risk score depends on. */
export type RiskFinding = Pick<Classification, 'id' | 'state'> & {
  readonly finding: Pick<Classification['finding'], 'confidence' | 'mint'>;
};
