import { WalletBook } from '../../src/fold/wallets/wallet-book.ts';
import type { WalletTrade } from '../../src/fold/wallets/wallet-row-changes.ts';
import { AddressIds } from '../../src/lib/address-ids.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import type { Address, Slot } from '../../src/model/units.ts';
import { address } from './build-transaction.ts';

/** Midnight, UTC, so that hours and days are easy to count. */
export const MIDNIGHT_MS = Date.UTC(2025, 5, 1);
export const KNOWN_PROGRAM = address('a program that is known');
const FIRST_SLOT = 340_000_000;

/** Seconds since midnight, in slots of 400 ms. */
export function atSecond(second: number): Pick<WalletTrade, 'slot' | 'timeMs'> {
  return {
    slot: (FIRST_SLOT + Math.round(second * 2.5)) as Slot,
    timeMs: MIDNIGHT_MS + Math.floor(second) * 1_000,
  };
}

/** A buy that matches no bot rule, this many seconds after midnight. */
export function walletTrade(second: number, rest: Partial<WalletTrade> = {}): WalletTrade {
  return {
    ...atSecond(second),
    mint: address('mint'),
    side: 'buy',
    lamports: null,
    isRoundTrip: false,
    isFirstBuyOfMint: false,
    isSnipe: false,
    terminal: false,
    programIds: [KNOWN_PROGRAM],
    ...rest,
  };
}

/** A book of wallets with its dependencies. */
export function walletStage(undo = new UndoLog()) {
  const ids = new AddressIds<Address>(undo);
  const book = new WalletBook({ ids, knownPrograms: new Set([KNOWN_PROGRAM]) }, undo);
  const wallet = (name = 'wallet') => ids.idOf(address(name));
  return { ids, undo, book, wallet };
}

export type WalletStage = ReturnType<typeof walletStage>;
