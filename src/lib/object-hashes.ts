import { hashOfBytes } from './pages/bytes-hash.ts';
import type { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

const FIRST_SEED = 0x9e3779b1;
const SECOND_SEED = 0x7f4a7c15;

/** Hashes of encoded objects by number: two words each, both 0 without an object. */
export class ObjectHashes {
  private readonly words: WordList;

  constructor(undo: UndoLog, name: string) {
    this.words = new WordList(undo, name);
  }

  /** Whether there is a hash of this number. */
  has(id: number): boolean {
    return this.words.get(2 * id) !== 0 || this.words.get(2 * id + 1) !== 0;
  }

  /** Whether these are the bytes of the hash. */
  isOf(id: number, bytes: Uint8Array): boolean {
    return (
      this.words.get(2 * id) === firstOf(bytes) &&
      this.words.get(2 * id + 1) === hashOfBytes(bytes, SECOND_SEED)
    );
  }

  /** Sets the hash to that of the bytes; null for no object. */
  set(id: number, bytes: Uint8Array | null): void {
    this.words.set(2 * id, bytes === null ? 0 : firstOf(bytes));
    this.words.set(2 * id + 1, bytes === null ? 0 : hashOfBytes(bytes, SECOND_SEED));
  }
}

/** Never 0, so that the two words never say that there is no object. */
function firstOf(bytes: Uint8Array): number {
  return hashOfBytes(bytes, FIRST_SEED) || 1;
}
