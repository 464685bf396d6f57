import type { CasePayment, CaseTrade } from '../../model/mint-case.ts';

/** Fees of terminals, projects and sponsors are mostly 0.5 to 2 %, and some are 10 % of a purchase. */
const TRADE_PER_FEE_MIN = 10n;

/**
 * The lamports of those payments of a wallet that are fees of its own trades: each at most a tenth of
 * what it trades in the same transaction.
 */
export function feesPaid(payments: readonly CasePayment[], trades: readonly CaseTrade[]): bigint {
  let fees = 0n;
  for (const { lamports, slot, txIndex } of payments) {
    let traded = 0n;
    for (const trade of trades) {
      if (trade.slot === slot && trade.txIndex === txIndex) traded += trade.lamports;
    }
    if (lamports * TRADE_PER_FEE_MIN <= traded) fees += lamports;
  }
  return fees;
}
