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

/** Rent of a token account. */
export const TOKEN_ACCOUNT_RENT = rentExemptLamports(TOKEN_ACCOUNT_SPACE);

/** Number of cached addresses in each of two generations. */
const REMEMBERED_MAX = 50_000;

/**
 * Token accounts by owner and mint. An address depends only on the two and is cached while it is in
 * use, so a market that runs for days only caches current ones.
 */
export class TokenAccounts {
  private readonly keyring: Keyring;
  private recent = new Map<Address, Map<Address, Address>>();
  private older: ReadonlyMap<Address, ReadonlyMap<Address, Address>> = new Map();
  private recentCount = 0;

  constructor(keyring: Keyring) {
    this.keyring = keyring;
  }

  of(owner: Address, mint: Address): Address {
    const known = this.recent.get(owner)?.get(mint);
    if (known !== undefined) return known;
    const address = this.older.get(owner)?.get(mint) ?? this.keyring.tokenAccount(owner, mint);
    this.remember(owner, mint, address);
    return address;
  }

  private remember(owner: Address, mint: Address, address: Address): void {
    if (this.recentCount >= REMEMBERED_MAX) {
      this.older = this.recent;
      this.recent = new Map();
      this.recentCount = 0;
    }
    const ofOwner = this.recent.get(owner);
    if (ofOwner === undefined) this.recent.set(owner, new Map([[mint, address]]));
    else ofOwner.set(mint, address);
    this.recentCount++;
  }
}

/** CreateIdempotent: creates the owner's account for a mint unless it exists. */
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

/**
 * Wraps lamports of an owner: account, transfer, sync. The account may already hold wrapped SOL.
 */
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

/** Unwraps all SOL of an owner to lamports. */
export function unwrapLamports(
  execution: Execution,
  accounts: TokenAccounts,
  owner: Address,
): void {
  closeTokenAccount(execution, accounts.of(owner, WRAPPED_SOL), owner, owner);
}
