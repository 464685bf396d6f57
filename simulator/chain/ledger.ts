import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** Token-2022's transfer fee: withheld on the receiving account, capped at the maximum. */
export interface TransferFee {
  readonly feeBps: number;
  readonly maxFeeRaw: bigint;
}

export interface MintState {
  readonly decimals: number;
  readonly supplyRaw: bigint;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
  /** Null for a mint without the extension. */
  readonly transferFee: TransferFee | null;
}

export interface TokenState {
  readonly mint: Address;
  /** The wallet or program address that may spend. */
  readonly owner: Address;
  readonly amountRaw: bigint;
  /** Transfer fees withheld here, which the owner cannot spend. */
  readonly withheldRaw: bigint;
}

/** One account. Immutable: a change replaces it, which makes changes reversible. */
export interface Account {
  readonly lamports: bigint;
  /** The program that owns it. */
  readonly program: Address;
  readonly mint: MintState | null;
  readonly token: TokenState | null;
  /** Data of the owning program besides tokens, as an immutable value of its own type. */
  readonly state: object | null;
}

/** Thrown when a token account or a mint to be read does not exist. */
export class MissingAccount extends RangeError {
  override readonly name = 'MissingAccount';
}

const ABSENT: Account = {
  lamports: 0n,
  program: SYSTEM_PROGRAM,
  mint: null,
  token: null,
  state: null,
};

/** The accounts as they were before a change. */
export type Journal = ReadonlyMap<Address, Account | undefined>;

/**
 * Every account of the chain. Changes are collected between `begin` and `end` and can be undone as
 * a whole: those of a failed transaction, or the blocks of a dropped branch.
 */
export class Ledger {
  private readonly accounts = new Map<Address, Account>();
  private journal: Map<Address, Account | undefined> | null = null;

  /** Number of accounts. */
  get size(): number {
    return this.accounts.size;
  }

  /** An account that was never created holds nothing and belongs to the system program. */
  get(address: Address): Account {
    return this.accounts.get(address) ?? ABSENT;
  }

  has(address: Address): boolean {
    return this.accounts.has(address);
  }

  /** The token account at an address. Throws MissingAccount if there is none. */
  token(address: Address): TokenState {
    const { token } = this.get(address);
    if (token === null) throw new MissingAccount(`${address} is no token account`);
    return token;
  }

  /** Token balance of an account; 0n if there is no token account. */
  heldRaw(address: Address): bigint {
    return this.get(address).token?.amountRaw ?? 0n;
  }

  /** The mint at an address. Throws MissingAccount if there is none. */
  mint(address: Address): MintState {
    const { mint } = this.get(address);
    if (mint === null) throw new MissingAccount(`${address} is no mint`);
    return mint;
  }

  /** Replaces an account; null removes it. */
  set(address: Address, account: Account | null): void {
    const { journal } = this;
    if (journal !== null && !journal.has(address)) journal.set(address, this.accounts.get(address));
    if (account === null) this.accounts.delete(address);
    else this.accounts.set(address, account);
  }

  /** Starts to collect changes. Throws Error when already collecting. */
  begin(): void {
    if (this.journal !== null) throw new Error('the ledger is collecting changes already');
    this.journal = new Map();
  }

  /** Stops collecting and returns the previous states of the changed accounts. */
  end(): Journal {
    const { journal } = this;
    if (journal === null) throw new Error('the ledger is not collecting changes');
    this.journal = null;
    return journal;
  }

  /** Undoes changes. Several journals must be undone newest first. */
  undo(journal: Journal): void {
    for (const [address, account] of journal) {
      if (account === undefined) this.accounts.delete(address);
      else this.accounts.set(address, account);
    }
  }

  /** All accounts, in order of creation. */
  entries(): IterableIterator<[Address, Account]> {
    return this.accounts.entries();
  }
}
