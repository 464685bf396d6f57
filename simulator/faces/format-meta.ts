import type {
  SimulatedTokenBalance,
  SimulatedTransaction,
} from '../chain/simulated-transaction.ts';
import { formatCompiled, formatInner, formatParsed, keysOf } from './format-instructions.ts';
import { integerJson } from './rust-number.ts';
import { uiTokenBalance } from './ui-token-amount.ts';

/** The parts of the transaction's meta that an answer includes. */
export interface MetaFormat {
  readonly isParsed: boolean;
  readonly showRewards: boolean;
}

/** The meta of a transaction. Fields are sorted by name, as nodes send them. */
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
    // Parsed keys contain their own source.
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

/** The shorter meta of `transactionDetails: "accounts"`. */
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

/** Only accounts that existed at the time. */
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
