import type {
  SimulatedTokenBalance,
  SimulatedTransaction,
} from '../chain/simulated-transaction.ts';
import { formatCompiled, formatInner, formatParsed, keysOf } from './format-instructions.ts';
import { integerJson } from './rust-number.ts';
import { uiTokenBalance } from './ui-token-amount.ts';

/** What of the runtime's record an answer shows. */
export interface MetaFormat {
  readonly isParsed: boolean;
  readonly showRewards: boolean;
}

/** The runtime's record of a transaction. Fields stand in order of their names, as nodes send them. */
export function formatMeta(
  transaction: SimulatedTransaction,
  { isParsed, showRewards }: MetaFormat,
): object {
  const { instructions, loadedReadonly, loadedWritable, logs } = transaction;
  const format = isParsed ? formatParsed(keysOf(transaction)) : formatCompiled;
  const outcome = formatOutcome(transaction);
  return {
    computeUnitsConsumed: transaction.computeUnitsUsed,
    err: outcome.err,
    fee: outcome.fee,
    innerInstructions: formatInner(instructions, format),
    // Parsed keys say themselves where they come from.
    ...(isParsed
      ? {}
      : { loadedAddresses: { readonly: loadedReadonly, writable: loadedWritable } }),
    logMessages: logs,
    postBalances: outcome.postBalances,
    postTokenBalances: outcome.postTokenBalances,
    preBalances: outcome.preBalances,
    preTokenBalances: outcome.preTokenBalances,
    ...(showRewards ? { rewards: [] } : {}),
    status: outcome.status,
  };
}

/** The shorter record that `transactionDetails: "accounts"` asks for. */
export function formatShortMeta(transaction: SimulatedTransaction, showRewards: boolean): object {
  const { status, ...outcome } = formatOutcome(transaction);
  return { ...outcome, ...(showRewards ? { rewards: [] } : {}), status };
}

function formatOutcome({
  error,
  feeLamports,
  lamportsAfter,
  lamportsBefore,
  tokenBalances,
}: SimulatedTransaction) {
  return {
    err: error,
    fee: integerJson(feeLamports),
    postBalances: lamportsAfter.map(integerJson),
    postTokenBalances: formatBalances(tokenBalances, 'afterRaw'),
    preBalances: lamportsBefore.map(integerJson),
    preTokenBalances: formatBalances(tokenBalances, 'beforeRaw'),
    status: error === null ? { Ok: null } : { Err: error },
  };
}

/** Only accounts that existed then. */
function formatBalances(
  balances: readonly SimulatedTokenBalance[],
  side: 'beforeRaw' | 'afterRaw',
): object[] {
  const formatted: object[] = [];
  for (const { accountIndex, mint, owner, tokenProgram, decimals, [side]: raw } of balances) {
    if (raw === null) continue;
    const uiTokenAmount = uiTokenBalance(raw, decimals);
    formatted.push({ accountIndex, mint, owner, programId: tokenProgram, uiTokenAmount });
  }
  return formatted;
}
