import { join } from 'node:path';
import { readRecordedTransactions } from '../../src/chain/recorded/recorded-transactions.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { testData } from './test-data.ts';

let everything: Promise<readonly ChainTransaction[]> | null = null;

/** Distinct successful recorded transactions that contain a program's address. */
export async function recordedTransactions(program: string): Promise<ChainTransaction[]> {
  everything ??= readEverything();
  return (await everything).filter(({ keys }) => keys.indexOf(program) >= 0);
}

async function readEverything(): Promise<readonly ChainTransaction[]> {
  const found = new Map<string, ChainTransaction>();
  for await (const item of readRecordedTransactions([join(testData, 'chain')])) {
    if (item.kind === 'problem') continue;
    const transactions = item.kind === 'block' ? item.block.transactions : [item.transaction];
    for (const transaction of transactions) {
      if (transaction.error === null) found.set(transaction.signature, transaction);
    }
  }
  return [...found.values()];
}
