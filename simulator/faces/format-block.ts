import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import {
  type Formatted,
  formatAccountsRecord,
  formatRecord,
  type TransactionFormat,
  versionRefusal,
} from './format-transaction.ts';

export const TRANSACTION_DETAILS = ['full', 'accounts', 'signatures', 'none'] as const;
export type TransactionDetails = (typeof TRANSACTION_DETAILS)[number];

/** The options of a `getBlock` call. */
export interface BlockFormat extends TransactionFormat {
  readonly transactionDetails: TransactionDetails;
  /** The parameter `rewards`. The simulated chain has no rewards. */
  readonly showRewards: boolean;
}

/** The options that the service uses, and that files are written with. */
export const WHOLE_BLOCK: BlockFormat = {
  encoding: 'base64',
  maxSupportedTransactionVersion: 0,
  transactionDetails: 'full',
  showRewards: false,
};

/** The `result` of `getBlock`, key by key as agave sends it. */
export function formatBlock(block: SimulatedBlock, format: BlockFormat): Formatted {
  const { blockHeight, blockTime, blockhash, parentSlot, previousBlockhash, transactions } = block;
  const { transactionDetails, showRewards, maxSupportedTransactionVersion } = format;
  const isTold = transactionDetails === 'full' || transactionDetails === 'accounts';
  const refusal = isTold ? versionRefusal(transactions, maxSupportedTransactionVersion) : null;
  if (refusal !== null) return refusal;
  const answer = {
    blockHeight,
    blockTime,
    blockhash,
    parentSlot,
    previousBlockhash,
    ...(showRewards ? { rewards: [] } : {}),
    ...formatTransactions(block, format),
  };
  return { status: 'ok', answer };
}

function formatTransactions({ transactions }: SimulatedBlock, format: BlockFormat): object {
  const { transactionDetails, showRewards, maxSupportedTransactionVersion } = format;
  switch (transactionDetails) {
    case 'none':
      return {};
    case 'signatures':
      return { signatures: transactions.map(({ signatures }) => signatures[0]) };
    case 'accounts':
      return {
        transactions: transactions.map((transaction) =>
          formatAccountsRecord(transaction, maxSupportedTransactionVersion, showRewards),
        ),
      };
    case 'full':
      return {
        transactions: transactions.map((transaction) =>
          formatRecord(transaction, format, showRewards),
        ),
      };
  }
}

/**
 * The whole block as JSON text. All transaction versions are allowed, so formatting cannot fail.
 */
export function blockText(block: SimulatedBlock, encoding: BlockFormat['encoding']): string {
  const formatted = formatBlock(block, { ...WHOLE_BLOCK, encoding });
  if (formatted.status === 'refused') throw new Error(formatted.message);
  return JSON.stringify(formatted.answer);
}
