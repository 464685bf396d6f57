import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { TradeFields } from './pump-events.ts';
import { type TradeCall, tradeCall } from './pump-program.ts';
import type { PumpForm } from './trade-style.ts';

/** The kind of a trade: a number of tokens, a budget, or a sale. */
export type CurveCall = 'buy' | 'budget' | 'sell';

/** The instructions of each form (IDL of October 2026). */
export const CURVE_CALLS: Readonly<
  Record<PumpForm, Readonly<Record<CurveCall, TradeCall<TradeFields['instruction']>>>>
> = {
  v1: {
    buy: tradeCall('66063d1201daebea', 'Buy', 'buy'),
    budget: tradeCall('38fc74089edfcd5f', 'BuyExactSolIn', 'buy_exact_sol_in'),
    sell: tradeCall('33e685a4017f83ad', 'Sell', 'sell'),
  },
  v2: {
    buy: tradeCall('b817ee6167c5d33d', 'BuyV2', 'buy'),
    budget: tradeCall('c2ab1c46684d5b2f', 'BuyExactQuoteInV2', 'buy_exact_quote_in'),
    sell: tradeCall('5df6823ce7e940b2', 'SellV2', 'sell'),
  },
  kept: {
    buy: tradeCall('07051dc4f5176550', 'BuyV3', 'buy'),
    budget: tradeCall('e1f7501ed5b38488', 'BuyExactQuoteInV3', 'buy_exact_quote_in'),
    sell: tradeCall('1c92de7726c469d5', 'SellV3', 'sell'),
  },
};

/**
 * Amount and limit; then `track_volume` of the first purchases, and `partial_fill` of v3 purchases
 * by tokens. Others omit it, as is allowed: both mean no.
 */
export function curveCallData(
  form: PumpForm,
  call: CurveCall,
  amount: bigint,
  limit: bigint,
): Uint8Array {
  const { discriminator } = CURVE_CALLS[form][call];
  const data = new InstructionBytes().hex(discriminator).u64(amount).u64(limit);
  if (form === 'v1' && call !== 'sell') data.bool(false);
  if (form === 'kept' && call === 'buy') data.bool(false);
  return data.done();
}
