import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { asSlot, type Slot } from '../../model/units.ts';

/** A wallet with stored payments; logs are numbers plus one, 0 for none. */
export const WALLET_LAYOUT = rowLayout({
  firstMs: 'f64',
  firstSlot: 'u32',
  wallet: 'u32',
  paid: 'u32',
  received: 'u32',
  /** Transactions that it signed or paid in since then, at most 255. */
  transactions: 'u8',
  /** 1 when the wallet is older than its first known payment. */
  isOlder: 'u8',
});
const WALLET = WALLET_LAYOUT.fields;

/** Maximum of the counter: the largest value of its field. */
const TRANSACTIONS_MAX = 255;

/** The first time a wallet with stored payments was seen. */
export interface PaymentWallet {
  readonly slot: Slot;
  readonly timeMs: number;
  /** Whether the wallet is older than that: a wallet that pays must have been paid before. */
  readonly isOlder: boolean;
  /** Transactions that it signed or paid in since then, at most 255. */
  readonly transactions: number;
}

/** Reads the row of a wallet. */
export function readPaymentWallet(wallets: RowTable, row: number): PaymentWallet {
  return {
    slot: asSlot(wallets.number(row, WALLET.firstSlot)),
    timeMs: wallets.number(row, WALLET.firstMs),
    isOlder: wallets.number(row, WALLET.isOlder) === 1,
    transactions: wallets.number(row, WALLET.transactions),
  };
}

/** Counts a transaction that the wallet of a row signed or paid in. */
export function countTransaction(wallets: RowTable, row: number): void {
  const known = wallets.number(row, WALLET.transactions);
  if (known === TRANSACTIONS_MAX) return;
  wallets.setNumber(row, WALLET.transactions, known + 1);
}
