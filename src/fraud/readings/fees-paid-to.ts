import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { paymentsFrom } from './payments-from.ts';

/** Fees of terminals, projects and sponsors are mostly 0.5 to 2 %, and some are 10 % of a purchase. */
const TRADE_PER_FEE_MIN = 10n;

/**
 * The lamports that a wallet paid to another one as fees: in transactions in which it trades the mint
 * itself, each at most a tenth of what it trades there.
 */
export function feesPaidTo(mintCase: MintCase, payer: Address, payee: Address): bigint {
  let fees = 0n;
  for (const { to, lamports, slot, txIndex } of paymentsFrom(mintCase)(payer, 0)) {
    if (to !== payee) continue;
    let traded = 0n;
    for (const trade of mintCase.trades) {
      if (trade.slot !== slot || trade.txIndex !== txIndex || trade.wallet !== payer) continue;
      traded += trade.lamports;
    }
    if (lamports * TRADE_PER_FEE_MIN <= traded) fees += lamports;
  }
  return fees;
}
