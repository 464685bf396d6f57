import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { paying, readOnly, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import type { Keyring } from '../chain/keyring.ts';
import { createAccount, rentExemptLamports, transferLamports } from './system.ts';
import {
  closeTokenAccount,
  initializeTokenAccount,
  syncNative,
  TOKEN_ACCOUNT_SPACE,
} from './token.ts';

/** What a token account costs to exist. */
export const TOKEN_ACCOUNT_RENT = rentExemptLamports(TOKEN_ACCOUNT_SPACE);

/**
 * Which account of an owner holds which mint. Each has the one address wallets use; the addresses
 * are drawn and not derived, since deriving costs a thousand times as much and nothing reads it.
 */
export class TokenAccounts {
  private readonly keyring: Keyring;
  private readonly addresses = new Map<Address, Map<Address, Address>>();

  constructor(keyring: Keyring) {
    this.keyring = keyring;
  }

  of(owner: Address, mint: Address): Address {
    let ofOwner = this.addresses.get(owner);
    if (ofOwner === undefined) {
      ofOwner = new Map();
      this.addresses.set(owner, ofOwner);
    }
    let address = ofOwner.get(mint);
    if (address === undefined) {
      address = this.keyring.account();
      ofOwner.set(mint, address);
    }
    return address;
  }
}

/** CreateIdempotent: makes the owner's account for a mint unless it exists. */
export function ensureTokenAccount(
  execution: Execution,
  accounts: TokenAccounts,
  payer: Address,
  owner: Address,
  mint: Address,
): Address {
  const account = accounts.of(owner, mint);
  const { program } = execution.ledger.get(mint);
  const uses = [
    paying(payer),
    writable(account),
    readOnly(owner),
    readOnly(mint),
    readOnly(SYSTEM_PROGRAM),
    readOnly(program),
  ];
  execution.invoke(ASSOCIATED_TOKEN_PROGRAM, uses, Uint8Array.of(1), () => {
    if (execution.ledger.get(account).token !== null) return;
    createAccount(execution, payer, account, TOKEN_ACCOUNT_SPACE, program);
    initializeTokenAccount(execution, account, mint, owner);
  });
  return account;
}

/** Wraps lamports of an owner: account, transfer, sync. The account may hold wrapped SOL already. */
export function wrapLamports(
  execution: Execution,
  accounts: TokenAccounts,
  owner: Address,
  lamports: bigint,
): Address {
  const account = ensureTokenAccount(execution, accounts, owner, owner, WRAPPED_SOL);
  if (lamports > 0n) {
    transferLamports(execution, owner, account, lamports);
    syncNative(execution, account, TOKEN_ACCOUNT_RENT);
  }
  return account;
}

/** Turns all wrapped SOL of an owner back into lamports. */
export function unwrapLamports(
  execution: Execution,
  accounts: TokenAccounts,
  owner: Address,
): void {
  closeTokenAccount(execution, accounts.of(owner, WRAPPED_SOL), owner, owner);
}
