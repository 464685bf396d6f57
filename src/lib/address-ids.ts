import { decodeBase58, encodeBase58 } from './base58.ts';
import { ObjectMap } from './object-map.ts';
import { PairIndex } from './pair-index.ts';
import { RecentById } from './recent-by-id.ts';
import { RecentIds } from './recent-ids.ts';
import { RecentValues } from './recent-values.ts';
import { rowLayout } from './row-layout.ts';
import { RowTable } from './row-table.ts';
import { plainFormat } from './state-value.ts';
import { UndoLog } from './undo-log.ts';
import type { UndoStep } from './undo-steps.ts';

const KEY_BYTES = 32;
const RECENT_ADDRESSES_MAX = 2 ** 17;
const LAYOUT = rowLayout({ bytes: ['u8', KEY_BYTES] });

/**
 * Assigns consecutive small integers, starting at 0, to addresses, for rows to refer to. The ids
 * only identify: they follow the order in which addresses were first read, so no published answer
 * may depend on them.
 *
 * An address takes 32 bytes and a cell of an index by its hash. Of two addresses with the same hash
 * the second is found by its next hash.
 */
export class AddressIds<Address extends string = string> {
  private readonly undo: UndoLog;
  private readonly rows: RowTable;
  private readonly index: PairIndex;
  /** Names that are not the base58 text of 32 bytes, by id. */
  private readonly names: ObjectMap<{ readonly name: Address }>;
  // Caches, which an undo clears: in most cases an address was used before not long ago. Addresses
  // without an id have -1 until they get one: those of accounts are searched for before that.
  #ids = new RecentIds<Address>();
  #addresses = new RecentValues<Address>(RECENT_ADDRESSES_MAX);
  readonly #recent: RecentById<never>[] = [];
  #record = 0;

  constructor(undo = new UndoLog(), name = 'addresses') {
    this.undo = undo;
    this.rows = new RowTable(LAYOUT, undo, name);
    this.index = new PairIndex(undo, `${name} index`);
    this.names = new ObjectMap(plainFormat(), undo, `${name} that are names`);
  }

  get size(): number {
    return this.rows.size;
  }

  /** Bytes of its pages in memory. */
  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.index.allocatedBytes;
  }

  /** A cache by id, which is emptied when ids are undone. Call it before any id is undone. */
  createRecent<Value>(placesMax: number): RecentById<Value> {
    const recent = new RecentById<Value>(placesMax);
    this.#recent.push(recent as RecentById<never>);
    return recent;
  }

  /** Returns the id of an address; assigns a new one if it has none. */
  idOf(address: Address): number {
    const known = this.#ids.get(address);
    if (known !== undefined && known !== -1) return known;
    const key = keyOf(address);
    for (let attempt = 0; ; attempt++) {
      const hash = hashOf(key, attempt);
      const id = this.index.get(0, hash);
      if (id !== -1 && this.readAddress(id) !== address) continue;
      return this.remember(address, id === -1 ? this.add(address, key, hash) : id);
    }
  }

  /** Returns the id of an address, -1 if it has none. */
  find(address: Address): number {
    const known = this.#ids.get(address);
    if (known !== undefined) return known;
    const key = keyOf(address);
    for (let attempt = 0; ; attempt++) {
      const id = this.index.get(0, hashOf(key, attempt));
      if (id === -1) this.#ids.set(address, -1);
      else if (this.readAddress(id) === address) this.remember(address, id);
      else continue;
      return id;
    }
  }

  /** Throws RangeError for an id that was never assigned. */
  addressOf(id: number): Address {
    const known = this.#addresses.get(id);
    if (known !== undefined) return known;
    if (id < 0 || id >= this.size) throw new RangeError(`no address has the id ${id}`);
    const address = this.readAddress(id);
    this.remember(address, id);
    return address;
  }

  private readAddress(id: number): Address {
    const known = this.#addresses.get(id);
    if (known !== undefined) return known;
    // On the chain there are none: most states need no search for one.
    const named = this.names.size > 0 ? this.names.get(id) : undefined;
    if (named !== undefined) return named.name;
    const start = this.rows.startOf(id);
    return encodeBase58(this.rows.pageOf(id), start, start + KEY_BYTES) as Address;
  }

  private add(address: Address, key: Uint8Array, hash: number): number {
    this.clearOnUndo();
    const id = this.rows.add();
    this.rows.setBytes(id, LAYOUT.fields.bytes, key);
    this.index.set(0, hash, id);
    if (encodeBase58(key, 0, KEY_BYTES) !== address) {
      this.names.set(id, { name: address });
    }
    return id;
  }

  private remember(address: Address, id: number): number {
    this.#ids.set(address, id);
    this.#addresses.set(id, address);
    return id;
  }

  /** The undo of a record takes back the ids that it assigned. */
  private clearOnUndo(): void {
    const { record } = this.undo;
    if (record === 0 || this.#record === record) return;
    this.#record = record;
    this.undo.step(CLEAR, this);
  }

  /**
   * Forgets the addresses used lately. Called by an undo. Returns what brings them back, for when the
   * ids are again those of now.
   */
  setRecentAside(): () => void {
    const ids = this.#ids;
    const addresses = this.#addresses;
    this.#ids = new RecentIds();
    this.#addresses = new RecentValues(RECENT_ADDRESSES_MAX);
    const others = this.#recent.map((recent) => recent.setAside());
    return () => {
      this.#ids = ids;
      this.#addresses = addresses;
      for (const bringBack of others) bringBack();
    };
  }
}

/** Before the change there were fewer ids: those used lately may not be there, or be there again. */
const CLEAR: UndoStep<[ids: { setRecentAside(): () => void }]> = {
  revert: (ids) => void ids.setRecentAside(),
  repeater: (ids) => ids.setRecentAside(),
};

/** The 32 bytes of an address; the beginning of any other text. */
function keyOf(address: string): Uint8Array {
  const decoded = decodeBase58(address);
  if (decoded?.length === KEY_BYTES) return decoded;
  const key = new Uint8Array(KEY_BYTES);
  new TextEncoder().encodeInto(address, key);
  return key;
}

/** A hash below 2^32 - 1 of 32 bytes, another one for each attempt (MurmurHash3_x86_32). */
function hashOf(key: Uint8Array, attempt: number): number {
  let hash = Math.imul(attempt + 1, 0x9e3779b1);
  for (let at = 0; at < KEY_BYTES; at += 4) {
    let word =
      (key[at] as number) |
      ((key[at + 1] as number) << 8) |
      ((key[at + 2] as number) << 16) |
      ((key[at + 3] as number) << 24);
    word = Math.imul(word, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  hash ^= KEY_BYTES;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 0xffff_ffff;
}
