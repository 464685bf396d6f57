/**
 * Packs bytes of which many are zero, as the packed encoding of Cap'n Proto does
 * (https://capnproto.org/encoding.html#packing): each word of eight bytes becomes a tag with one
 * bit per byte that is not zero, followed by these bytes. The tag 0x00 is followed by the number of
 * further words of zeros, the tag 0xff by its eight bytes, the number of further words that are
 * copied unpacked, and these words.
 */

const WORD = 8;
const RUN_MAX = 255;

/** The most bytes that `length` bytes can become: two more for each word with tag 0xff. */
export function packedLengthMax(length: number): number {
  return length + 2 * (length / WORD);
}

/**
 * Packs `length` bytes, a multiple of eight, from `start` on into `target`; returns the number of
 * bytes written. `target` must have room for `packedLengthMax`.
 */
export function packBytes(
  source: Uint8Array,
  start: number,
  length: number,
  target: Uint8Array,
  targetStart = 0,
): number {
  const end = start + length;
  let at = start;
  let to = targetStart;
  while (at < end) {
    const tagAt = to++;
    let tag = 0;
    for (let bit = 0; bit < WORD; bit++) {
      const byte = source[at + bit] as number;
      if (byte === 0) continue;
      tag |= 1 << bit;
      target[to++] = byte;
    }
    at += WORD;
    target[tagAt] = tag;
    if (tag === 0) {
      const run = runOf(source, at, end, isZeroWord);
      target[to++] = run;
      at += run * WORD;
    } else if (tag === 0xff) {
      const run = runOf(source, at, end, isDenseWord);
      target[to++] = run;
      target.set(source.subarray(at, at + run * WORD), to);
      to += run * WORD;
      at += run * WORD;
    }
  }
  return to - targetStart;
}

/**
 * Unpacks into `target`, from `targetStart` on. Returns whether the bytes were packed from exactly
 * `length` bytes; bytes after a fault are undefined.
 */
export function unpackBytes(
  packed: Uint8Array,
  target: Uint8Array,
  targetStart: number,
  length: number,
): boolean {
  const end = targetStart + length;
  let at = 0;
  let to = targetStart;
  while (at < packed.length) {
    if (to + WORD > end) return false;
    const tag = packed[at++] as number;
    at = unpackWord(packed, at, tag, target, to);
    to += WORD;
    if (tag !== 0 && tag !== 0xff) continue;
    const run = (packed[at++] ?? 0) * WORD;
    if (to + run > end) return false;
    if (tag === 0) target.fill(0, to, to + run);
    else if (at + run > packed.length) return false;
    else {
      target.set(packed.subarray(at, at + run), to);
      at += run;
    }
    to += run;
  }
  return to === end && at === packed.length;
}

/** Unpacks the bytes of one tag; returns where the next ones begin. */
function unpackWord(
  packed: Uint8Array,
  start: number,
  tag: number,
  target: Uint8Array,
  to: number,
): number {
  let at = start;
  for (let bit = 0; bit < WORD; bit++) {
    target[to + bit] = (tag & (1 << bit)) === 0 ? 0 : (packed[at++] ?? 0);
  }
  return at;
}

function runOf(
  source: Uint8Array,
  start: number,
  end: number,
  belongs: (source: Uint8Array, at: number) => boolean,
): number {
  let run = 0;
  for (let at = start; at < end && run < RUN_MAX && belongs(source, at); at += WORD) run++;
  return run;
}

function isZeroWord(source: Uint8Array, at: number): boolean {
  for (let byte = at; byte < at + WORD; byte++) if (source[byte] !== 0) return false;
  return true;
}

/** With two bytes of zero, a tag and six bytes are shorter than the word. */
function isDenseWord(source: Uint8Array, at: number): boolean {
  let zeros = 0;
  for (let byte = at; byte < at + WORD; byte++) if (source[byte] === 0) zeros++;
  return zeros < 2;
}
