import type { Swap } from '../../model/swap.ts';
import { asRawAmount, type RawAmount } from '../../model/units.ts';

/** The fee of a swap, in units of the input token or of the output token. */
export interface MeteoraSwapFee {
  readonly isOnInput: boolean;
  readonly raw: RawAmount;
}

/** The parameters of a swap in the swap events of the DAMM v2 and DBC programs. */
export const swapParameters = { amount_0: 'u64', amount_1: 'u64', swap_mode: 'u8' } as const;

/** The start of the `SwapResult2` of both programs; the shares of the fee follow. */
export const swapAmounts = {
  included_fee_input_amount: 'u64',
  excluded_fee_input_amount: 'u64',
  amount_left: 'u64',
  output_amount: 'u64',
  next_sqrt_price: 'u128',
} as const;

type SwapAmounts = Readonly<
  Record<'included_fee_input_amount' | 'excluded_fee_input_amount', bigint>
>;

/**
 * The fee of a swap: on the input it is the difference of the two input amounts, on the output the
 * sum of the shares.
 */
export function meteoraSwapFee(result: SwapAmounts, ...shares: readonly bigint[]): MeteoraSwapFee {
  const onInput = result.included_fee_input_amount - result.excluded_fee_input_amount;
  const isOnInput = onInput > 0n;
  const onOutput = shares.reduce((sum, share) => sum + share, 0n);
  return { isOnInput, raw: asRawAmount(isOnInput ? onInput : onOutput) };
}

/** Adds the fee to a swap. It stays unknown when it was taken in the base token. */
export function withMeteoraFee(swap: Swap, fee: MeteoraSwapFee | null): Swap {
  if (fee === null || fee.isOnInput !== (swap.side === 'buy')) return swap;
  return { ...swap, feeQuoteRaw: fee.raw };
}
