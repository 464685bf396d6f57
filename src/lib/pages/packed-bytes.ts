/**
 * Packs words of 32 bits of which many bytes are zero, as the packed encoding of Cap'n Proto does
 * (https://capnproto.org/encoding.html#packing): each eight bytes become a tag with one bit per byte
 * that is not zero, followed by these bytes. The tag 0x00 is followed by the number of further
 * groups of eight zeros, the tag 0xff by its eight bytes, the number of further groups that are
 * copied unpacked, and these groups. The bytes of a word are in little-endian order.
 */

/** Bytes and words of a group. */
const GROUP = 8;
const GROUP_WORDS = 2;
const RUN_MAX = 255;

/** The most bytes that `length` bytes can become: two more for each group with tag 0xff. */
export function packedLengthMax(length: number): number {
  return length + 2 * (length / GROUP);
}

/**
 * Packs `length` words, an even number, from `start` on into `target`; returns the number of bytes
 * written. `target` must have room for `packedLengthMax` of four bytes a word.
 */
export function packWords(
  source: Uint32Array,
  start: number,
  length: number,
  target: Uint8Array,
): number {
  const end = start + length;
  let at = start;
  let to = 0;
  while (at < end) {
    const low = source[at] as number;
    const high = source[at + 1] as number;
    at += GROUP_WORDS;
    if ((low | high) === 0) {
      const run = zeroRun(source, at, end);
      target[to++] = 0;
      target[to++] = run;
      at += run * GROUP_WORDS;
      continue;
    }
    const tagAt = to;
    const tag = tagOf(low) | (tagOf(high) << 4);
    target[tagAt] = tag;
    to = packWord(high, target, packWord(low, target, to + 1));
    if (tag !== 0xff) continue;
    const run = denseRun(source, at, end);
    target[to++] = run;
    for (const runEnd = at + run * GROUP_WORDS; at < runEnd; at++) {
      to = copyWord(source[at] as number, target, to);
    }
  }
  return to;
}

/**
 * Unpacks into `target`, from `targetStart` on. Returns whether the bytes were packed from exactly
 * `length` words, an even number; words after a fault are undefined.
 */
export function unpackWords(
  packed: Uint8Array,
  target: Uint32Array,
  targetStart: number,
  length: number,
): boolean {
  const end = targetStart + length;
  let at = 0;
  let to = targetStart;
  while (at < packed.length) {
    const tag = packed[at++] as number;
    const wordsAt = at;
    at += BIT_COUNTS[tag] as number;
    if (to >= end || at > packed.length) return false;
    target[to] = wordOf(packed, wordsAt, tag & 0xf);
    target[to + 1] = wordOf(packed, wordsAt + (BIT_COUNTS[tag & 0xf] as number), tag >>> 4);
    to += GROUP_WORDS;
    if (tag !== 0 && tag !== 0xff) continue;
    // A run that is missing ends beyond the target.
    const runEnd = to + (packed[at++] ?? length) * GROUP_WORDS;
    const runAt = at;
    // Four bytes a word for the tag 0xff, none for 0x00.
    at += (tag & 4) * (runEnd - to);
    if (runEnd > end || at > packed.length) return false;
    if (tag === 0) target.fill(0, to, runEnd);
    else copyWords(packed, runAt, target, to, runEnd);
    to = runEnd;
  }
  return to === end;
}

/** Copies the bytes from `from` on to words. */
function copyWords(
  packed: Uint8Array,
  from: number,
  target: Uint32Array,
  start: number,
  end: number,
): void {
  for (let to = start, at = from; to < end; to++, at += 4) target[to] = wordOf(packed, at, 0xf);
}

/** By tag: how many bytes it stands for. */
const BIT_COUNTS = Uint8Array.from({ length: 256 }, (_, tag) => {
  let count = 0;
  for (let bits = tag; bits !== 0; bits &= bits - 1) count++;
  return count;
});

/** Four bits: which bytes of a word are not zero. */
function tagOf(word: number): number {
  // The highest bit of each byte that is not zero.
  const any = ((word & 0x7f7f_7f7f) + 0x7f7f_7f7f) | word;
  return ((any >>> 7) & 1) | ((any >>> 14) & 2) | ((any >>> 21) & 4) | ((any >>> 28) & 8);
}

/** Writes the bytes of a word that are not zero; returns where the next ones belong. */
function packWord(word: number, target: Uint8Array, start: number): number {
  let to = start;
  // Each byte is written, and the next one over it if it is zero: a branch for each would often be
  // mispredicted.
  for (let shift = 0; shift < 32; shift += 8) {
    const byte = (word >>> shift) & 0xff;
    target[to] = byte;
    to += (byte + 0xff) >>> 8;
  }
  return to;
}

function copyWord(word: number, target: Uint8Array, to: number): number {
  target[to] = word;
  target[to + 1] = word >>> 8;
  target[to + 2] = word >>> 16;
  target[to + 3] = word >>> 24;
  return to + 4;
}

/** The word of the bytes from `start` on that four bits of a tag name. */
function wordOf(packed: Uint8Array, start: number, tag: number): number {
  let word = 0;
  let at = start;
  for (let bit = 0; bit < 4; bit++) {
    if ((tag & (1 << bit)) !== 0) word |= (packed[at++] as number) << (8 * bit);
  }
  return word;
}

/** Groups of zeros from `start` on. */
function zeroRun(source: Uint32Array, start: number, end: number): number {
  let run = 0;
  for (let at = start; at < end && run < RUN_MAX; at += GROUP_WORDS, run++) {
    if (((source[at] as number) | (source[at + 1] as number)) !== 0) break;
  }
  return run;
}

/** Groups with at most one zero from `start` on: with two, a tag and six bytes are shorter. */
function denseRun(source: Uint32Array, start: number, end: number): number {
  let run = 0;
  for (let at = start; at < end && run < RUN_MAX; at += GROUP_WORDS, run++) {
    const tag = tagOf(source[at] as number) | (tagOf(source[at + 1] as number) << 4);
    if ((BIT_COUNTS[tag] as number) < GROUP - 1) break;
  }
  return run;
}
