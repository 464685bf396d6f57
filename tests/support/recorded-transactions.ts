import { resolve } from 'node:path';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import {
  chainTransactionOf,
  type Oracle,
  type OracleRecord,
  type OracleTransaction,
} from './oracle.ts';
import { testData } from './test-data.ts';

/** Folders of recorded transactions: those until 2025, and those of 2026. */
export const RECORD_FOLDERS = ['chain', 'chain-2026'] as const;
export type RecordFolder = (typeof RECORD_FOLDERS)[number];

/** A recorded transaction as read by the oracle, and in the form of the decoders. */
export interface RecordedTransaction {
  readonly transaction: OracleTransaction;
  readonly chain: ChainTransaction;
}

/**
 * Each successful recorded transaction once, through the project's reader where that accepts it.
 */
export function* recordedTransactions(
  oracle: Oracle,
  folder: RecordFolder = 'chain',
): Iterable<RecordedTransaction> {
  const seen = new Set<string>();
  for (const file of oracle.walk(resolve(testData, folder))) {
    for (const record of oracle.readRecords(file)) {
      const transaction = normalised(oracle, record);
      if (transaction === null || transaction.failed || transaction.incomplete) continue;
      if (seen.has(transaction.signature)) continue;
      seen.add(transaction.signature);
      const reading = readTransaction(record.tx);
      const read = reading.status === 'ok' ? reading.value.transaction : null;
      yield { transaction, chain: read ?? chainTransactionOf(transaction) };
    }
  }
}

/** The oracle throws on unknown shapes. */
function normalised(oracle: Oracle, record: OracleRecord): OracleTransaction | null {
  try {
    return oracle.normalise(record);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
