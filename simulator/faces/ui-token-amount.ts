import { formatTrimmed } from '../../src/lib/decimal.ts';
import { floatJson, type RawJson } from './rust-number.ts';

/** A token amount as nodes return it. */
export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | RawJson | null;
  readonly uiAmountString: string;
}

/** 10^20 exceeds 64 bits: such an amount has no float (agave's account decoder). */
const FLOAT_DECIMALS_MAX = 19;

/** As in parsed instructions. */
export function uiTokenAmount(raw: bigint, decimals: number): UiTokenAmount {
  return {
    amount: raw.toString(),
    decimals,
    uiAmount: decimals > FLOAT_DECIMALS_MAX ? null : floatJson(Number(raw) / 10 ** decimals),
    uiAmountString: formatTrimmed(raw, decimals),
  };
}

/** Stored balances keep no float that rounds to zero: it is returned as null. */
const FLOAT_LEAST = 2 ** -52;

/** As in the balances of a transaction. */
export function uiTokenBalance(raw: bigint, decimals: number): UiTokenAmount {
  const amount = uiTokenAmount(raw, decimals);
  const isKept = Number(raw) / 10 ** decimals > FLOAT_LEAST;
  return isKept ? amount : { ...amount, uiAmount: null };
}
