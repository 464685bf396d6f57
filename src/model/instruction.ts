import { decodeBase58 } from '../lib/base58.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Address } from './units.ts';

const EMPTY = new Uint8Array(0);

/** Position of an instruction in its transaction. */
export interface InstructionPosition {
  /** Position in execution order over all instructions of the transaction. */
  readonly index: number;
  readonly outerIx: number;
  /** Position among the inner instructions of `outerIx`; -1 for the outer instruction itself. */
  readonly innerIx: number;
  /** Call depth, 1 for outer instructions; 0 when the record does not contain it. */
  readonly stackHeight: number;
}

/** Account indexes and data of an instruction within a larger record. End offsets are exclusive. */
export interface InstructionSpans {
  accountsStart: number;
  accountsEnd: number;
  dataStart: number;
  dataEnd: number;
}

/**
 * One executed instruction and its position in the transaction. Base58 data is decoded, and data
 * within a larger record is sliced, on first read, since most instructions belong to programs that
 * are never read.
 */
export class Instruction {
  readonly index: number;
  readonly outerIx: number;
  readonly innerIx: number;
  readonly stackHeight: number;
  readonly programIndex: number;
  readonly accountCount: number;
  private readonly keys: AccountKeys;
  /** The instruction's own list of account indexes, or the record that contains them. */
  private readonly accounts: ArrayLike<number>;
  private readonly accountsStart: number;
  private content: Uint8Array | string;
  /** Start of the data in `content` until it is sliced; -1 afterwards. */
  private dataStart: number;
  private readonly dataEnd: number;

  constructor(
    keys: AccountKeys,
    position: InstructionPosition,
    programIndex: number,
    accountIndexes: ArrayLike<number>,
    data: Uint8Array | string,
    spans: InstructionSpans | null = null,
  ) {
    this.keys = keys;
    this.index = position.index;
    this.outerIx = position.outerIx;
    this.innerIx = position.innerIx;
    this.stackHeight = position.stackHeight;
    this.programIndex = programIndex;
    this.accounts = accountIndexes;
    this.content = data;
    this.accountsStart = spans === null ? 0 : spans.accountsStart;
    this.accountCount =
      spans === null ? accountIndexes.length : spans.accountsEnd - spans.accountsStart;
    this.dataStart = spans === null ? -1 : spans.dataStart;
    this.dataEnd = spans === null ? -1 : spans.dataEnd;
  }

  /** An instruction whose account indexes (one byte each) and data are in `record`. */
  static inRecord(
    keys: AccountKeys,
    position: InstructionPosition,
    programIndex: number,
    record: Uint8Array,
    spans: InstructionSpans,
  ): Instruction {
    return new Instruction(keys, position, programIndex, record, record, spans);
  }

  get programId(): Address {
    return this.keys.at(this.programIndex);
  }

  /** Indices into the transaction's account keys. */
  get accountIndexes(): ArrayLike<number> {
    const { accounts, accountsStart, accountCount } = this;
    if (accounts.length === accountCount) return accounts;
    return (accounts as Uint8Array).subarray(accountsStart, accountsStart + accountCount);
  }

  /** Data bytes; empty when the record's text is not base58. */
  get data(): Uint8Array {
    if (typeof this.content === 'string') this.content = decodeBase58(this.content) ?? EMPTY;
    else if (this.dataStart >= 0) {
      this.content = this.content.subarray(this.dataStart, this.dataEnd);
      this.dataStart = -1;
    }
    return this.content;
  }

  /** The key index of the instruction's account at `position`, or -1 when it has fewer accounts. */
  accountIndex(position: number): number {
    if (position < 0 || position >= this.accountCount) return -1;
    return this.accounts[this.accountsStart + position] as number;
  }

  /** The address of the instruction's account at `position`, or null when it has fewer accounts. */
  account(position: number): Address | null {
    const index = this.accountIndex(position);
    return index < 0 ? null : this.keys.at(index);
  }
}
