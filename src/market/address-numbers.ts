import { decodeBase58 } from '../lib/base58.ts';
import { PairIndex } from '../lib/pair-index.ts';
import { rowLayout } from '../lib/row-layout.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { type Address, addressOf32Bytes } from '../model/units.ts';

const KEY_BYTES = 32;
/** `next`: the next row of the same hash plus one, 0 for none. */
const LAYOUT = rowLayout({ key: ['u8', KEY_BYTES], next: 'u32', uses: 'u32' });
const { key: keyField, next: nextField, uses: usesField } = LAYOUT.fields;

/**
 * Numbers addresses while they are in use. Unlike AddressIds it forgets the others, so its size is
 * bounded by what is in use; a number is given again later. Numbers only identify: no published
 * answer may depend on them.
 */
export class AddressNumbers {
  private readonly rows: RowTable;
  /** The first row of each hash; the first number of a pair is 0. */
  private readonly byHash: PairIndex;

  constructor(undo: UndoLog, name: string) {
    this.rows = new RowTable(LAYOUT, undo, name) as RowTable;
    this.byHash = new PairIndex(undo, `${name} by hash`);
  }

  get size(): number {
    return this.rows.size;
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.byHash.allocatedBytes;
  }

  /** The number of an address, -1 if it is not in use. */
  find(address: Address): number {
    const key = keyOf(address);
    return this.search(key, hashOf(key));
  }

  /** Counts one more use of an address and returns its number. */
  use(address: Address): number {
    const key = keyOf(address);
    const hash = hashOf(key);
    const known = this.search(key, hash);
    const row = known === -1 ? this.add(key, hash) : known;
    this.rows.setNumber(row, usesField, this.rows.number(row, usesField) + 1);
    return row;
  }

  /** Counts one use less of a number, which is free after the last. */
  release(row: number): void {
    const uses = this.rows.number(row, usesField) - 1;
    if (uses > 0) this.rows.setNumber(row, usesField, uses);
    else this.remove(row);
  }

  addressOf(row: number): Address {
    const start = this.rows.startOf(row) + keyField.offset;
    return addressOf32Bytes(this.rows.pageOf(row), start);
  }

  private search(key: Uint8Array, hash: number): number {
    let row = this.byHash.get(0, hash);
    while (row !== -1 && !this.isKey(row, key)) row = this.rows.number(row, nextField) - 1;
    return row;
  }

  private add(key: Uint8Array, hash: number): number {
    const row = this.rows.add();
    this.rows.setBytes(row, keyField, key);
    this.rows.setNumber(row, nextField, this.byHash.get(0, hash) + 1);
    this.byHash.set(0, hash, row);
    return row;
  }

  private remove(row: number): void {
    const start = this.rows.startOf(row) + keyField.offset;
    const hash = hashOf(this.rows.pageOf(row).subarray(start, start + KEY_BYTES));
    const next = this.rows.number(row, nextField);
    let before = this.byHash.get(0, hash);
    if (before === row) {
      if (next === 0) this.byHash.delete(0, hash);
      else this.byHash.set(0, hash, next - 1);
    } else {
      while (this.rows.number(before, nextField) !== row + 1) {
        before = this.rows.number(before, nextField) - 1;
      }
      this.rows.setNumber(before, nextField, next);
    }
    this.rows.remove(row);
  }

  private isKey(row: number, key: Uint8Array): boolean {
    const start = this.rows.startOf(row) + keyField.offset;
    const bytes = this.rows.pageOf(row);
    for (let at = 0; at < KEY_BYTES; at++) if (bytes[start + at] !== key[at]) return false;
    return true;
  }
}

/** The 32 bytes of an address. Throws RangeError for any other text. */
function keyOf(address: Address): Uint8Array {
  const key = decodeBase58(address);
  if (key?.length !== KEY_BYTES) throw new RangeError(`${address} is no address`);
  return key;
}

/** A hash below 2^32 - 1 (FNV-1a over words, with a final mix). Rows of equal hashes are linked. */
function hashOf(key: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < KEY_BYTES; at++) {
    hash = Math.imul(hash ^ (key[at] as number), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % 0xffff_ffff;
}
