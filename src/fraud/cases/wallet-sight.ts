import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { Slot } from '../../model/units.ts';

/** Of a wallet of which payments are kept; logs are numbers plus one, 0 for none. */
export const WALLET_LAYOUT = rowLayout({
  firstMs: 'f64',
  firstSlot: 'u32',
  wallet: 'u32',
  older: 'u32',
  newer: 'u32',
  paid: 'u32',
  received: 'u32',
  /** Transactions it was seen in since, 255 for more. */
  transactions: 'u8',
  /** 1 when it was there before the first payment that is known. */
  isOlder: 'u8',
});
const WALLET = WALLET_LAYOUT.fields;

/** Transactions that are counted, as many as a row holds. */
const TRANSACTIONS_MAX = 255;

/** Since when a wallet of which payments are kept is known. */
export interface WalletSight {
  readonly slot: Slot;
  readonly timeMs: number;
  /** It was there before: whoever pays was paid before. */
  readonly isOlder: boolean;
  /** Transactions it was seen in since then, 255 for more. */
  readonly transactions: number;
}

/** What the row of a wallet says of it. */
export function readSight(wallets: RowTable, row: number): WalletSight {
  return {
    slot: wallets.number(row, WALLET.firstSlot) as Slot,
    timeMs: wallets.number(row, WALLET.firstMs),
    isOlder: wallets.number(row, WALLET.isOlder) === 1,
    transactions: wallets.number(row, WALLET.transactions),
  };
}

/** Counts a transaction that the wallet of a row was seen in. */
export function countTransaction(wallets: RowTable, row: number): void {
  const known = wallets.number(row, WALLET.transactions);
  if (known === TRANSACTIONS_MAX) return;
  wallets.setNumber(row, WALLET.transactions, known + 1);
}
