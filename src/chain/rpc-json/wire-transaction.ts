import { AccountKeys } from '../../model/account-keys.ts';
import type { ChainTransaction, TransactionConfig } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';

/** An instruction with accounts as indices into the transaction's keys. */
export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: ArrayLike<number>;
  /** Bytes, or base58 text. */
  readonly data: Uint8Array | string;
}

/** A transaction as signed and sent, located in its bytes. Nothing is copied. */
export interface WireTransaction {
  readonly kind: 'transaction';
  readonly version: ChainTransaction['version'];
  /** Null for versions before v1. */
  readonly config: TransactionConfig | null;
  readonly bytes: Uint8Array;
  readonly signatureOffset: number;
  readonly signerCount: number;
  readonly keyOffset: number;
  readonly staticKeyCount: number;
  /** Number of keys added by address lookup tables. */
  readonly writableLookups: number;
  readonly readonlyLookups: number;
  readonly instructions: readonly CompiledInstruction[];
}

export interface WireFault {
  readonly kind: 'fault';
  readonly code: 'bad-transaction' | 'unsupported-version';
  readonly reason: string;
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const BLOCKHASH_BYTES = 32;
const VERSION_FLAG = 0x80;
const V1_PREFIX = 0x81;

/**
 * Locates the parts of a serialized transaction: legacy, v0 (address lookup tables) or v1
 * (SIMD-0385: message first, signatures last, no compact lengths). Accepts any bytes; in the result
 * every index is within bounds.
 */
export function readWireTransaction(bytes: Uint8Array): WireTransaction | WireFault {
  const cursor = new WireCursor(bytes);
  const first = bytes[0] ?? 0;
  if (first === V1_PREFIX) return readV1(cursor);
  if (first > V1_PREFIX) return unsupported(first & ~VERSION_FLAG);
  return readLegacyOrV0(cursor);
}

/** The accounts of a wire transaction, including those added by lookup tables. */
export function keysOfWire(wire: WireTransaction, loaded: readonly Address[]): AccountKeys {
  return AccountKeys.ofBytes(wire.bytes, wire.keyOffset, wire.staticKeyCount, loaded);
}

function readLegacyOrV0(cursor: WireCursor): WireTransaction | WireFault {
  const signatureCount = cursor.compactU16();
  const signatureOffset = cursor.skip(signatureCount * SIGNATURE_BYTES);
  const prefix = cursor.peek();
  const isVersioned = prefix >= VERSION_FLAG;
  if (isVersioned && prefix !== VERSION_FLAG) return unsupported(prefix & ~VERSION_FLAG);
  if (isVersioned) cursor.skip(1);
  const signerCount = cursor.u8();
  cursor.skip(2);
  const staticKeyCount = cursor.compactU16();
  const keyOffset = cursor.skip(staticKeyCount * KEY_BYTES);
  cursor.skip(BLOCKHASH_BYTES);
  const instructions = readInstructions(cursor);
  const lookups = isVersioned ? readLookups(cursor) : NO_LOOKUPS;
  if (signatureCount !== signerCount) cursor.fail('signatures do not match the header');
  return finish(cursor, {
    kind: 'transaction',
    version: isVersioned ? 0 : 'legacy',
    config: null,
    bytes: cursor.bytes,
    signatureOffset,
    signerCount,
    keyOffset,
    staticKeyCount,
    ...lookups,
    instructions,
  });
}

function readInstructions(cursor: WireCursor): CompiledInstruction[] {
  const instructions: CompiledInstruction[] = [];
  for (let left = cursor.compactU16(); left > 0 && cursor.fault === null; left--) {
    const programIndex = cursor.u8();
    const accountIndexes = cursor.take(cursor.compactU16());
    const data = cursor.take(cursor.compactU16());
    instructions.push({ programIndex, accountIndexes, data });
  }
  return instructions;
}

const NO_LOOKUPS = { writableLookups: 0, readonlyLookups: 0 };

function readLookups(cursor: WireCursor): typeof NO_LOOKUPS {
  const lookups = { writableLookups: 0, readonlyLookups: 0 };
  for (let left = cursor.compactU16(); left > 0 && cursor.fault === null; left--) {
    cursor.skip(KEY_BYTES);
    const writable = cursor.compactU16();
    cursor.skip(writable);
    const readable = cursor.compactU16();
    cursor.skip(readable);
    lookups.writableLookups += writable;
    lookups.readonlyLookups += readable;
  }
  return lookups;
}

/** The fixed part of a v1 message before its addresses, then one config value per set mask bit. */
function readV1(cursor: WireCursor): WireTransaction | WireFault {
  cursor.skip(1);
  const signerCount = cursor.u8();
  cursor.skip(2);
  const configMask = cursor.u32();
  cursor.skip(BLOCKHASH_BYTES);
  const instructionCount = cursor.u8();
  const staticKeyCount = cursor.u8();
  const keyOffset = cursor.skip(staticKeyCount * KEY_BYTES);
  const config = readConfig(cursor, configMask);
  const headers = cursor.take(instructionCount * 4);
  const instructions: CompiledInstruction[] = [];
  for (let at = 0; at + 4 <= headers.length && cursor.fault === null; at += 4) {
    const accountIndexes = cursor.take(headers[at + 1] as number);
    const dataBytes = (headers[at + 2] as number) | ((headers[at + 3] as number) << 8);
    const data = cursor.take(dataBytes);
    instructions.push({ programIndex: headers[at] as number, accountIndexes, data });
  }
  const signatureOffset = cursor.skip(signerCount * SIGNATURE_BYTES);
  return finish(cursor, {
    kind: 'transaction',
    version: 1,
    config,
    bytes: cursor.bytes,
    signatureOffset,
    signerCount,
    keyOffset,
    staticKeyCount,
    ...NO_LOOKUPS,
    instructions,
  });
}

const PRIORITY_FEE_BITS = 0b11;
const COMPUTE_UNIT_LIMIT_BIT = 0b100;

/** One four-byte value for each bit of the mask, lowest first; the fee takes two. */
function readConfig(cursor: WireCursor, mask: number): TransactionConfig {
  const feeBits = mask & PRIORITY_FEE_BITS;
  if (feeBits !== 0 && feeBits !== PRIORITY_FEE_BITS) cursor.fail('half a priority fee');
  const priorityFeeLamports = feeBits === 0 ? null : cursor.u64();
  const computeUnitLimit = (mask & COMPUTE_UNIT_LIMIT_BIT) === 0 ? null : cursor.u32();
  cursor.skip(4 * bitCount(mask & ~(PRIORITY_FEE_BITS | COMPUTE_UNIT_LIMIT_BIT)));
  return { priorityFeeLamports, computeUnitLimit };
}

function bitCount(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest >>>= 1) bits += rest & 1;
  return bits;
}

/**
 * Refuses transactions that parse but are invalid: trailing bytes, no payer, indices beyond the
 * keys.
 */
function finish(cursor: WireCursor, wire: WireTransaction): WireTransaction | WireFault {
  const keyCount = wire.staticKeyCount + wire.writableLookups + wire.readonlyLookups;
  if (cursor.left > 0) cursor.fail(`${cursor.left} bytes follow the transaction`);
  if (wire.signerCount === 0) cursor.fail('no signer');
  if (wire.signerCount > wire.staticKeyCount) cursor.fail('more signers than keys');
  for (const { programIndex, accountIndexes } of wire.instructions) {
    if (programIndex >= keyCount) cursor.fail(`program index ${programIndex} of ${keyCount}`);
    for (let at = 0; at < accountIndexes.length; at++) {
      const index = accountIndexes[at] as number;
      if (index >= keyCount) cursor.fail(`account index ${index} of ${keyCount}`);
    }
  }
  if (cursor.fault === null) return wire;
  return { kind: 'fault', code: 'bad-transaction', reason: cursor.fault };
}

function unsupported(version: number): WireFault {
  return { kind: 'fault', code: 'unsupported-version', reason: `transaction version ${version}` };
}

/** Reads forward within bounds. The first fault is kept; later reads return zeros. */
class WireCursor {
  readonly bytes: Uint8Array;
  fault: string | null = null;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  fail(reason: string): void {
    this.fault ??= reason;
  }

  peek(): number {
    return this.bytes[this.at] ?? 0;
  }

  /** Skips `count` bytes and returns where they began. */
  skip(count: number): number {
    const start = this.at;
    if (count > this.left) {
      this.fail(`cut off at byte ${this.bytes.length}`);
      this.at = this.bytes.length;
    } else this.at += count;
    return start;
  }

  take(count: number): Uint8Array {
    const start = this.skip(count);
    return this.bytes.subarray(start, this.at);
  }

  u8(): number {
    return this.bytes[this.skip(1)] ?? 0;
  }

  u32(): number {
    return this.u8() + this.u8() * 2 ** 8 + this.u8() * 2 ** 16 + this.u8() * 2 ** 24;
  }

  u64(): bigint {
    return BigInt(this.u32()) + (BigInt(this.u32()) << 32n);
  }

  /**
   * A length of one to three bytes, seven bits each, least significant first. Only the shortest
   * form is valid.
   */
  compactU16(): number {
    const first = this.u8();
    if (first < 0x80) return first;
    const second = this.u8();
    if (second === 0) this.fail('a length is not in its shortest form');
    if (second < 0x80) return (first & 0x7f) | (second << 7);
    const third = this.u8();
    if (third === 0) this.fail('a length is not in its shortest form');
    if (third > 3) this.fail('a length exceeds 16 bits');
    return (first & 0x7f) | ((second & 0x7f) << 7) | ((third & 3) << 14);
  }
}
