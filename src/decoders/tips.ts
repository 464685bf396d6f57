import type { Tip } from '../model/slot-facts.ts';
import type { Address, Lamports } from '../model/units.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Accounts that take tips for landing a transaction. Jito's eight are published (minimum tip 1,000
 * lamports) and mean a bundle; other services only sell a fast lane.
 */
const JITO_TIP_ACCOUNTS: readonly string[] = [
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
  'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
  'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
  'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
  'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
  'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
];

const PROVIDERS: ReadonlyMap<string, Tip['provider']> = new Map(
  JITO_TIP_ACCOUNTS.map((account) => [account, 'jito']),
);

/** Tips paid anywhere in the transaction, in order. */
export function tipsOf(view: TransactionView): Tip[] {
  const tips: Tip[] = [];
  for (const { kind, to, lamports } of view.systemMovements) {
    if (kind !== 'transfer' || to < 0 || to >= view.transaction.keys.length) continue;
    const address: Address = view.transaction.keys.at(to);
    const provider = PROVIDERS.get(address);
    if (provider !== undefined)
      tips.push({ lamports: lamports as Lamports, to: address, provider });
  }
  return tips;
}
