/**
 * The features of a post for a linear model: its words, pairs and triples of words, words after a
 * negation or in capitals, its tickers, its rule score, and pieces of three to five letters. Each
 * is hashed (FNV-1a, 32 bits) and mapped to an index.
 */
import { tradeSide } from './phrases.ts';
import type { PostWords } from './read-words.ts';
import { isNegated } from './rule-score.ts';

export const FEATURE_BITS = 18;
export const FEATURE_COUNT = 1 << FEATURE_BITS;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const PIECE_LENGTH_MIN = 3;
const PIECE_LENGTH_MAX = 5;

/** Each kind of feature has its own hash seed, so that kinds share indices only by chance. */
const SEEDS = {
  word: mix(FNV_OFFSET, 0),
  piece: mix(FNV_OFFSET, 1),
  negated: mix(FNV_OFFSET, 2),
  shouted: mix(FNV_OFFSET, 3),
  tag: mix(FNV_OFFSET, 4),
  rule: mix(FNV_OFFSET, 5),
  positives: mix(FNV_OFFSET, 6),
  negatives: mix(FNV_OFFSET, 7),
  balance: mix(FNV_OFFSET, 8),
  length: mix(FNV_OFFSET, 9),
  tagCount: mix(FNV_OFFSET, 10),
  sides: mix(FNV_OFFSET, 11),
  firstSide: mix(FNV_OFFSET, 12),
  lastSide: mix(FNV_OFFSET, 13),
} as const;

const START = mix(SEEDS.word, 1);
const END = mix(SEEDS.word, 2);
const RULE_STEPS = 5;
const COUNT_MAX = 4;
const SIDES_MAX = 3;
const TAG_COUNT_MAX = 5;
const LENGTH_STEPS = 2;
const LENGTH_STEP_MAX = 12;
/** Maximum features of a word: itself, pair, triple, negated, shouted. */
const FEATURES_PER_WORD = 5;
const OTHER_FEATURES = 24;

/** The indices of a post's features; the buffer is reused for each post. */
export interface FeatureBuffer {
  places: Uint32Array;
  /** Entries 0 to `wordCount` − 1 are words and counts; the rest to `count` are letter pieces. */
  wordCount: number;
  count: number;
  /** For each index, the number of the last post with it: a feature counts once per post. */
  readonly lastPosts: Uint8Array;
  post: number;
}

export function createFeatureBuffer(): FeatureBuffer {
  return {
    places: new Uint32Array(4_096),
    wordCount: 0,
    count: 0,
    lastPosts: new Uint8Array(FEATURE_COUNT),
    post: 0,
  };
}

/** Fills the buffer with the features of a post, each once. `byRules` is its rule score. */
export function hashFeatures(post: PostWords, byRules: number, buffer: FeatureBuffer): void {
  const { words, tags } = post;
  const text = ` ${words.join(' ')} `;
  reserve(
    buffer,
    words.length * FEATURES_PER_WORD +
      tags.length +
      OTHER_FEATURES +
      text.length * PIECE_LENGTH_MAX,
  );
  buffer.count = 0;
  nextPost(buffer);
  hashWords(post, buffer);
  hashCounts(post, byRules, buffer);
  for (const tag of tags) add(buffer, hashText(SEEDS.tag, tag));
  buffer.wordCount = buffer.count;
  hashPieces(text, buffer);
}

function hashWords(post: PostWords, buffer: FeatureBuffer): void {
  const { words, shouted } = post;
  let before = START;
  let beforeThat = 0;
  for (let at = 0; at <= words.length; at++) {
    const word = words[at];
    const hash = word === undefined ? END : hashText(SEEDS.word, word);
    add(buffer, hash);
    add(buffer, pair(before, hash));
    if (at > 0) add(buffer, pair(pair(beforeThat, before), hash));
    if (word !== undefined && isNegated(post, at)) add(buffer, pair(SEEDS.negated, hash));
    if (shouted[at] === true) add(buffer, pair(SEEDS.shouted, hash));
    beforeThat = before;
    before = hash;
  }
}

function hashCounts(post: PostWords, byRules: number, buffer: FeatureBuffer): void {
  let positives = 0;
  let negatives = 0;
  for (const entry of post.known) {
    const valence = entry?.valence ?? 0;
    if (valence > 0) positives++;
    else if (valence < 0) negatives++;
  }
  const length = Math.round(Math.log2(1 + post.words.length) * LENGTH_STEPS);
  add(buffer, mix(SEEDS.rule, Math.round(byRules * RULE_STEPS) + RULE_STEPS));
  add(buffer, mix(SEEDS.positives, Math.min(positives, COUNT_MAX)));
  add(buffer, mix(SEEDS.negatives, Math.min(negatives, COUNT_MAX)));
  add(buffer, mix(SEEDS.balance, positives - negatives));
  add(buffer, mix(SEEDS.length, Math.min(length, LENGTH_STEP_MAX)));
  add(buffer, mix(SEEDS.tagCount, Math.min(post.tags.length, TAG_COUNT_MAX)));
  hashSides(post, buffer);
}

/** The sides of trades: their balance, the first and the last, each turned by a negation. */
function hashSides(post: PostWords, buffer: FeatureBuffer): void {
  let [balance, first, last] = [0, 0, 0];
  for (let at = 0; at < post.words.length; at++) {
    const own = post.known[at]?.side ?? 0;
    const side = own === 0 ? 0 : tradeSide(post.words, at, own);
    if (side === 0) continue;
    last = isNegated(post, at) ? -side : side;
    if (first === 0) first = last;
    balance += last;
  }
  if (first === 0) return;
  add(buffer, mix(SEEDS.sides, Math.max(-SIDES_MAX, Math.min(SIDES_MAX, balance))));
  add(buffer, mix(SEEDS.firstSide, first));
  add(buffer, mix(SEEDS.lastSide, last));
}

function hashPieces(text: string, buffer: FeatureBuffer): void {
  const { length } = text;
  for (let start = 0; start + PIECE_LENGTH_MIN <= length; start++) {
    let hash: number = SEEDS.piece;
    const end = Math.min(start + PIECE_LENGTH_MAX, length);
    for (let at = start; at < end; at++) {
      hash = mix(hash, text.charCodeAt(at));
      if (at - start >= PIECE_LENGTH_MIN - 1) add(buffer, hash);
    }
  }
}

/** One byte per index fits the processor's cache; post numbers restart when they are used up. */
function nextPost(buffer: FeatureBuffer): void {
  if (buffer.post === 0xff) {
    buffer.lastPosts.fill(0);
    buffer.post = 0;
  }
  buffer.post++;
}

function add(buffer: FeatureBuffer, hash: number): void {
  const index = fold(hash);
  if (buffer.lastPosts[index] === buffer.post) return;
  buffer.lastPosts[index] = buffer.post;
  buffer.places[buffer.count++] = index;
}

/** Mixes the hash into its upper bits (a step of MurmurHash3's finaliser) and takes those. */
function fold(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (spread ^ (spread >>> 13)) >>> (32 - FEATURE_BITS);
}

function hashText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, FNV_PRIME);
}

function pair(before: number, hash: number): number {
  return mix(Math.imul(before, 31), hash);
}

function reserve(buffer: FeatureBuffer, size: number): void {
  if (buffer.places.length < size) buffer.places = new Uint32Array(size * 2);
}
