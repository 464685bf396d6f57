import { BorshReader } from '../../model/borsh-reader.ts';
import type { Swap } from '../../model/swap.ts';
import type { RawAmount } from '../../model/units.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

/** The fee of a swap, in units of the input token or of the output token. */
export interface MeteoraSwapFee {
  readonly isOnInput: boolean;
  readonly raw: RawAmount;
}

/**
 * Reads the fee from the `SwapResult2` in the swap event of the DAMM v2 and DBC programs; null when
 * the data end inside it. A fee on the input is the difference of the two input amounts; a fee on
 * the output is the sum of the shares at the end of the struct.
 */
export function readMeteoraSwapFee(
  data: Uint8Array,
  resultOffset: number,
  shareCount: number,
): MeteoraSwapFee | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET + resultOffset);
  const inputWithFee = reader.u64();
  const inputWithoutFee = reader.u64();
  reader.skip(AMOUNT_LEFT_OUTPUT_AND_PRICE_BYTES);
  let shares = 0n;
  for (let share = 0; share < shareCount; share++) shares += reader.u64();
  if (reader.isShort) return null;
  const isOnInput = inputWithFee > inputWithoutFee;
  return { isOnInput, raw: (isOnInput ? inputWithFee - inputWithoutFee : shares) as RawAmount };
}

const AMOUNT_LEFT_OUTPUT_AND_PRICE_BYTES = 8 + 8 + 16;

/** Adds the fee to a swap. It stays unknown when it was taken in the base token. */
export function withMeteoraFee(swap: Swap, fee: MeteoraSwapFee | null): Swap {
  if (fee === null || fee.isOnInput !== (swap.side === 'buy')) return swap;
  return { ...swap, feeQuoteRaw: fee.raw };
}
