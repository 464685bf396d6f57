import type { TransferFee } from '../chain/ledger.ts';
import { transferFeeOf } from '../programs/token.ts';
import { divideUp, inputOf, outputOf } from './constant-product.ts';
import type { CpmmConfig } from './raydium-cpmm-accounts.ts';

/** The denominator of fee rates. */
const RATE_UNIT = 1_000_000n;

/** One swap, in amounts as the program counts them. */
export interface CpmmTrade {
  /** The amount the trader sends; with a transfer fee less is received. */
  readonly sentRaw: bigint;
  readonly sentFeeRaw: bigint;
  /** The amount that leaves the vault; with a transfer fee less is received. */
  readonly paidRaw: bigint;
  readonly paidFeeRaw: bigint;
  /** Reserved for protocol and fund, in the input token. */
  readonly setApartRaw: bigint;
}

export interface CpmmReserves {
  readonly inRaw: bigint;
  readonly outRaw: bigint;
  readonly inTransferFee: TransferFee | null;
  readonly outTransferFee: TransferFee | null;
}

/** `swap_base_input`: all of `sentRaw` is traded. */
export function tradeForInput(
  config: CpmmConfig,
  { inRaw, outRaw, inTransferFee, outTransferFee }: CpmmReserves,
  sentRaw: bigint,
): CpmmTrade {
  const sentFeeRaw = transferFeeOf(inTransferFee, sentRaw);
  const arrivedRaw = sentRaw - sentFeeRaw;
  const tradeFeeRaw = divideUp(arrivedRaw * config.tradeFeeRate, RATE_UNIT);
  const paidRaw = outputOf(arrivedRaw - tradeFeeRaw, inRaw, outRaw);
  return {
    sentRaw,
    sentFeeRaw,
    paidRaw,
    paidFeeRaw: transferFeeOf(outTransferFee, paidRaw),
    setApartRaw: setApartOf(config, tradeFeeRaw),
  };
}

/** `swap_base_output`: the trader receives exactly `gotRaw`; null if the pool has less. */
export function tradeForOutput(
  config: CpmmConfig,
  { inRaw, outRaw, inTransferFee, outTransferFee }: CpmmReserves,
  gotRaw: bigint,
): CpmmTrade | null {
  const paidFeeRaw = inverseTransferFee(outTransferFee, gotRaw);
  const paidRaw = gotRaw + paidFeeRaw;
  if (gotRaw <= 0n || paidRaw >= outRaw) return null;
  const beforeFee = inputOf(paidRaw, inRaw, outRaw);
  const arrivedRaw = divideUp(beforeFee * RATE_UNIT, RATE_UNIT - config.tradeFeeRate);
  const tradeFeeRaw = divideUp(arrivedRaw * config.tradeFeeRate, RATE_UNIT);
  const sentFeeRaw = inverseTransferFee(inTransferFee, arrivedRaw);
  return {
    sentRaw: arrivedRaw + sentFeeRaw,
    sentFeeRaw,
    paidRaw,
    paidFeeRaw,
    setApartRaw: setApartOf(config, tradeFeeRaw),
  };
}

/** The transfer fee to add to `arrivingRaw` so that this amount is received (Token-2022). */
export function inverseTransferFee(fee: TransferFee | null, arrivingRaw: bigint): bigint {
  if (fee === null || fee.feeBps === 0 || arrivingRaw === 0n) return 0n;
  if (fee.feeBps >= 10_000) return fee.maxFeeRaw;
  const sentRaw = divideUp(arrivingRaw * 10_000n, 10_000n - BigInt(fee.feeBps));
  if (sentRaw - arrivingRaw >= fee.maxFeeRaw) return fee.maxFeeRaw;
  return transferFeeOf(fee, sentRaw);
}

function setApartOf({ protocolFeeRate, fundFeeRate }: CpmmConfig, tradeFeeRaw: bigint): bigint {
  return (tradeFeeRaw * protocolFeeRate) / RATE_UNIT + (tradeFeeRaw * fundFeeRate) / RATE_UNIT;
}
