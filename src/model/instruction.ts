import { decodeBase58 } from '../lib/base58.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Address } from './units.ts';

const EMPTY = new Uint8Array(0);

/**
 * One executed instruction with its place in the transaction. Data that arrived as base58 text is
 * decoded when first read, since most instructions belong to programs nobody asks about.
 */
export class Instruction {
  /** Position in execution order over all instructions of the transaction. */
  readonly index: number;
  readonly outerIx: number;
  /** Position among the inner instructions of `outerIx`; -1 for the outer instruction itself. */
  readonly innerIx: number;
  /** Call depth, 1 for outer instructions; 0 when the record does not say. */
  readonly stackHeight: number;
  readonly programIndex: number;
  /** Indices into the transaction's account keys. */
  readonly accountIndexes: ArrayLike<number>;
  private readonly keys: AccountKeys;
  private content: Uint8Array | string;

  constructor(
    keys: AccountKeys,
    place: { index: number; outerIx: number; innerIx: number; stackHeight: number },
    programIndex: number,
    accountIndexes: ArrayLike<number>,
    data: Uint8Array | string,
  ) {
    this.keys = keys;
    this.index = place.index;
    this.outerIx = place.outerIx;
    this.innerIx = place.innerIx;
    this.stackHeight = place.stackHeight;
    this.programIndex = programIndex;
    this.accountIndexes = accountIndexes;
    this.content = data;
  }

  get programId(): Address {
    return this.keys.at(this.programIndex);
  }

  get accountCount(): number {
    return this.accountIndexes.length;
  }

  /** Data bytes; empty when the record's text is not base58. */
  get data(): Uint8Array {
    if (typeof this.content === 'string') this.content = decodeBase58(this.content) ?? EMPTY;
    return this.content;
  }

  /** The key index of the instruction's account at `position`, or -1 when it has fewer accounts. */
  accountIndex(position: number): number {
    return this.accountIndexes[position] ?? -1;
  }

  /** The address of the instruction's account at `position`, or null when it has fewer accounts. */
  account(position: number): Address | null {
    const index = this.accountIndexes[position];
    return index === undefined ? null : this.keys.at(index);
  }
}
