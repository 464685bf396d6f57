/**
 * A cache of numbers by text, at most as many as it has places: each text has one place, which it
 * shares with others, and the text used last has it. A Map of as many texts takes three times as
 * long: it reads a hash, a bucket and an entry before the text, all of them far apart in memory.
 *
 * Numbers are from -1, which says that a text has none, to 2^32 - 2.
 *
 * Texts should be base58 addresses: their place follows from five of their characters.
 */
export class RecentIds<Text extends string> {
  private texts: (Text | null)[] = [];
  /** By place: the number plus one. */
  private numbers = new Uint32Array(0);
  /** The number of bits of a hash that are left out of a place. */
  private shift = 0;
  /** Texts that lost their place to another one since the cache last grew. */
  private displaced = 0;

  constructor() {
    this.resize(PLACE_BITS_MIN);
  }

  get(text: Text): number | undefined {
    const place = this.placeOf(text);
    return this.texts[place] === text ? (this.numbers[place] as number) - 1 : undefined;
  }

  set(text: Text, id: number): void {
    const place = this.placeOf(text);
    const known = this.texts[place];
    this.texts[place] = text;
    this.numbers[place] = id + 1;
    if (known !== null && known !== text) this.noteDisplaced();
  }

  /** Most caches are small, those of tests: places are added when there are too few. */
  private noteDisplaced(): void {
    this.displaced++;
    if (this.displaced < this.texts.length || this.texts.length >= 1 << PLACE_BITS_MAX) return;
    const { texts, numbers } = this;
    this.resize(HASH_BITS - this.shift + 1);
    for (const [place, text] of texts.entries()) {
      if (text !== null) this.set(text, (numbers[place] as number) - 1);
    }
  }

  private resize(bits: number): void {
    this.texts = new Array<Text | null>(1 << bits).fill(null);
    this.numbers = new Uint32Array(1 << bits);
    this.shift = HASH_BITS - bits;
    this.displaced = 0;
  }

  private placeOf(text: Text): number {
    return hashOf(text) >>> this.shift;
  }
}

const HASH_BITS = 32;
const PLACE_BITS_MIN = 8;
const PLACE_BITS_MAX = 17;
/** Shorter texts are names, which are rare on the chain and alike in tests. */
const LENGTH_MIN = 21;
/** A prime near the number of digits. */
const BASE = 61;

/**
 * The first characters tell programs and sysvars apart, the later one those of which the first were
 * chosen.
 */
function hashOf(text: string): number {
  let hash = 0;
  if (text.length < LENGTH_MIN) {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash, BASE) + text.charCodeAt(at);
  } else {
    hash = text.charCodeAt(0);
    hash = Math.imul(hash, BASE) + text.charCodeAt(1);
    hash = Math.imul(hash, BASE) + text.charCodeAt(2);
    hash = Math.imul(hash, BASE) + text.charCodeAt(3);
    hash = Math.imul(hash, BASE) + text.charCodeAt(LENGTH_MIN - 1);
  }
  return Math.imul(hash, 0x9e3779b1);
}
