import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/** Maximum of words in a queue. */
export const QUEUED_WORDS_MAX = 1 << 22;

/**
 * A queue of unsigned numbers below 2^32, in the pages of a space. A word has a position for as long
 * as it is in the queue: positions follow one another, and 0 follows 2^32 - 1.
 *
 * The words lie in a ring, so the pages of words that left the queue are used again.
 */
export class WordQueue {
  private readonly words: WordList;

  constructor(undo = new UndoLog(), name = 'queue') {
    this.words = new WordList(undo, name);
  }

  get size(): number {
    return (this.words.get(END) - this.words.get(FIRST)) >>> 0;
  }

  /** Position of the oldest word, or of the next one if there is none. */
  get first(): number {
    return this.words.get(FIRST);
  }

  /** The oldest word; undefined if there is none. */
  peek(): number | undefined {
    const { first } = this;
    return first === this.words.get(END) ? undefined : this.words.get(indexOf(first));
  }

  /** Adds a word and returns its position. Throws RangeError for more than QUEUED_WORDS_MAX. */
  push(word: number): number {
    const end = this.words.get(END);
    if ((end - this.words.get(FIRST)) >>> 0 >= QUEUED_WORDS_MAX) {
      throw new RangeError(`a queue has at most ${QUEUED_WORDS_MAX} words`);
    }
    this.words.set(indexOf(end), word);
    this.words.set(END, (end + 1) >>> 0);
    return end;
  }

  /** Removes the oldest word. Does nothing if there is none. */
  shift(): void {
    const { first } = this;
    if (first !== this.words.get(END)) this.words.set(FIRST, (first + 1) >>> 0);
  }
}

/** The first block of the list has the positions of the oldest and of the next word. */
const FIRST = 0;
const END = 1;
const RING_START = 8;

function indexOf(position: number): number {
  return RING_START + (position & (QUEUED_WORDS_MAX - 1));
}
