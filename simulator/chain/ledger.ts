import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** Token-2022's fee on transfers: withheld on the receiving account, never above the maximum. */
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
  /** Transfer fees kept here, out of the owner's reach. */
  readonly withheldRaw: bigint;
}

/** One account. Never changed in place: a change replaces it, so that it can be taken back. */
export interface Account {
  readonly lamports: bigint;
  /** The program that owns it. */
  readonly program: Address;
  readonly mint: MintState | null;
  readonly token: TokenState | null;
  /** What the owning program keeps here beside tokens, as an immutable value of its own type. */
  readonly state: object | null;
}

/** Somebody reads a token account or a mint that is not there. */
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

/** What accounts were before something was done to them. */
export type Journal = ReadonlyMap<Address, Account | undefined>;

/**
 * Every account of the chain. Changes are collected between `begin` and `end` and can be taken back
 * as a whole: a failed transaction, or the blocks of a branch that lost.
 */
export class Ledger {
  private readonly accounts = new Map<Address, Account>();
  private journal: Map<Address, Account | undefined> | null = null;

  /** How many accounts there are. */
  get size(): number {
    return this.accounts.size;
  }

  /** An account nobody made holds nothing and belongs to the system program. */
  get(address: Address): Account {
    return this.accounts.get(address) ?? ABSENT;
  }

  has(address: Address): boolean {
    return this.accounts.has(address);
  }

  /** The token account at an address; throws MissingAccount when there is none. */
  token(address: Address): TokenState {
    const { token } = this.get(address);
    if (token === null) throw new MissingAccount(`${address} is no token account`);
    return token;
  }

  /** Tokens in an account; 0n where there is no token account. */
  heldRaw(address: Address): bigint {
    return this.get(address).token?.amountRaw ?? 0n;
  }

  /** The mint at an address; throws MissingAccount when there is none. */
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

  /** Starts to collect. Throws Error when already collecting. */
  begin(): void {
    if (this.journal !== null) throw new Error('the ledger is collecting changes already');
    this.journal = new Map();
  }

  /** Stops collecting and says what accounts were before. */
  end(): Journal {
    const { journal } = this;
    if (journal === null) throw new Error('the ledger is not collecting changes');
    this.journal = null;
    return journal;
  }

  /** Takes changes back. Of several journals the newest goes first. */
  undo(journal: Journal): void {
    for (const [address, account] of journal) {
      if (account === undefined) this.accounts.delete(address);
      else this.accounts.set(address, account);
    }
  }

  /** All accounts, in the order they were made. */
  entries(): IterableIterator<[Address, Account]> {
    return this.accounts.entries();
  }
}
