import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { TradeFields } from './pump-events.ts';
import type { PumpForm } from './trade-style.ts';

/** The kind of a trade: a number of tokens, a budget, or a sale. */
export type CurveCall = 'buy' | 'budget' | 'sell';

interface CallNames {
  readonly discriminator: string;
  /** As the program logs it. */
  readonly logged: string;
  /** As in its event. */
  readonly instruction: TradeFields['instruction'];
}

/** The instructions of each form (IDL of October 2026). */
export const CURVE_CALLS: Readonly<Record<PumpForm, Readonly<Record<CurveCall, CallNames>>>> = {
  v1: {
    buy: { discriminator: '66063d1201daebea', logged: 'Buy', instruction: 'buy' },
    budget: {
      discriminator: '38fc74089edfcd5f',
      logged: 'BuyExactSolIn',
      instruction: 'buy_exact_sol_in',
    },
    sell: { discriminator: '33e685a4017f83ad', logged: 'Sell', instruction: 'sell' },
  },
  v2: {
    buy: { discriminator: 'b817ee6167c5d33d', logged: 'BuyV2', instruction: 'buy' },
    budget: {
      discriminator: 'c2ab1c46684d5b2f',
      logged: 'BuyExactQuoteInV2',
      instruction: 'buy_exact_quote_in',
    },
    sell: { discriminator: '5df6823ce7e940b2', logged: 'SellV2', instruction: 'sell' },
  },
  kept: {
    buy: { discriminator: '07051dc4f5176550', logged: 'BuyV3', instruction: 'buy' },
    budget: {
      discriminator: 'e1f7501ed5b38488',
      logged: 'BuyExactQuoteInV3',
      instruction: 'buy_exact_quote_in',
    },
    sell: { discriminator: '1c92de7726c469d5', logged: 'SellV3', instruction: 'sell' },
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
