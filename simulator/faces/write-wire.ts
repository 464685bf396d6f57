import { decodeBase58 } from '../../src/lib/base58.ts';
import type { CompiledInstruction, SimulatedTransaction } from '../chain/simulated-transaction.ts';

const VERSION_0 = 0x80;

/** The maximum size of a transaction in one network packet (`PACKET_DATA_SIZE` of Solana's SDK). */
export const TRANSACTION_BYTES_MAX = 1_232;

/**
 * A transaction in wire format: signatures, then the message (Solana's documentation, "Transaction
 * format"; the prefix and the table lookups of version 0 by SIMD-0005).
 */
export function writeWire(transaction: SimulatedTransaction): Uint8Array {
  const writer = new WireWriter();
  const { signatures, version, header, staticKeys, recentBlockhash, lookups } = transaction;
  writer.length(signatures.length);
  for (const signature of signatures) writer.base58(signature);
  if (version === 0) writer.byte(VERSION_0);
  writer.byte(header.requiredSignatures);
  writer.byte(header.readonlySigned);
  writer.byte(header.readonlyUnsigned);
  writer.length(staticKeys.length);
  for (const key of staticKeys) writer.key(key);
  writer.base58(recentBlockhash);
  writeInstructions(writer, transaction.instructions);
  if (version === 0) {
    writer.length(lookups.length);
    for (const { table, writableIndexes, readonlyIndexes } of lookups) {
      writer.key(table);
      writer.bytesWithLength(writableIndexes);
      writer.bytesWithLength(readonlyIndexes);
    }
  }
  return writer.done();
}

function writeInstructions(writer: WireWriter, executed: readonly CompiledInstruction[]): void {
  let count = 0;
  for (const { innerIx } of executed) if (innerIx < 0) count++;
  writer.length(count);
  for (const { innerIx, programIndex, accountIndexes, data } of executed) {
    if (innerIx >= 0) continue;
    writer.byte(programIndex);
    writer.bytesWithLength(accountIndexes);
    writer.bytesWithLength(data);
  }
}

/** Maximum number of cached keys, which recur from transaction to transaction. */
const KNOWN_KEYS_MAX = 1 << 16;
const knownKeys = new Map<string, Uint8Array>();

function keyBytes(key: string): Uint8Array {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const bytes = bytesOfText(key);
  if (knownKeys.size === KNOWN_KEYS_MAX) knownKeys.clear();
  knownKeys.set(key, bytes);
  return bytes;
}

function bytesOfText(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes === null) throw new RangeError(`${text} is not base58`);
  return bytes;
}

/** One buffer for all transactions, far larger than any of the simulation. */
const scratch = new Uint8Array(1 << 17);

class WireWriter {
  private size = 0;

  byte(value: number): void {
    scratch[this.size++] = value;
  }

  /**
   * Seven bits per byte, lowest first; the highest bit means that more bytes follow
   * ("compact-u16").
   */
  length(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest);
  }

  key(key: string): void {
    this.bytes(keyBytes(key));
  }

  base58(text: string): void {
    this.bytes(bytesOfText(text));
  }

  bytesWithLength(bytes: ArrayLike<number>): void {
    this.length(bytes.length);
    this.bytes(bytes);
  }

  /** Returns a copy, because the buffer is reused. */
  done(): Uint8Array {
    return scratch.slice(0, this.size);
  }

  private bytes(bytes: ArrayLike<number>): void {
    scratch.set(bytes, this.size);
    this.size += bytes.length;
  }
}
