import { TAG, TEXTS_MAX } from './graph-tags.ts';
import { GraphError, type GraphTypes, type Shape, Shapes } from './graph-types.ts';

const CHUNK_BYTES = 256 * 1_024;
/** Upper bound of the bytes written at once, except for texts, bytes and large bigints. */
const SLACK_BYTES = 64;
const WORD = 2n ** 64n;

/**
 * Writes all objects reachable from a root: shared references and cycles are preserved, and so is
 * the order of the entries of Maps and Sets. A Uint8Array is restored with a buffer of its own,
 * even if it shared one with other views. Layout: graph-tags.ts.
 *
 * Besides the current chunk it uses memory for one number per object that is not of an owned type,
 * of which there may be 2^24, and for each of the last TEXTS_MAX texts.
 */
export class GraphWriter {
  private readonly shapes: Shapes;
  private readonly shapeIds = new Map<Shape, number>();
  private readonly ids = new Map<object, number>();
  private readonly texts = new Map<string, number>();
  /** Objects in the order of their first reference, with their shape if they have one. */
  private readonly found: object[] = [];
  private readonly foundShapes: (Shape | null)[] = [];
  private buffer = Buffer.allocUnsafe(CHUNK_BYTES + SLACK_BYTES);
  private size = 0;

  constructor(types: GraphTypes) {
    this.shapes = new Shapes(types);
    for (const external of types.externals) this.ids.set(external, this.ids.size);
  }

  /**
   * Yields the bytes in chunks of about 256 KiB, each produced on request: the graph must not
   * change before the last one. A chunk is only valid until the next one is requested. Chunks end
   * at the end of a value, including texts and bytes of any length. Throws GraphError for a value
   * of no known type.
   */
  *write(root: unknown): Generator<Buffer> {
    this.value(root);
    for (let index = 0; index < this.found.length; index++) {
      const object = this.found[index] as object;
      const shape = this.foundShapes[index];
      if (shape != null) this.fields(object, shape);
      else if (object instanceof Map) yield* this.entries(object);
      else yield* this.items(object as readonly unknown[] | ReadonlySet<unknown>);
      if (this.size >= CHUNK_BYTES) yield this.take();
    }
    yield this.take();
  }

  private *entries(map: ReadonlyMap<unknown, unknown>): Generator<Buffer> {
    for (const [key, value] of map) {
      this.value(key);
      this.value(value);
      if (this.size >= CHUNK_BYTES) yield this.take();
    }
  }

  private *items(items: Iterable<unknown>): Generator<Buffer> {
    for (const item of items) {
      this.value(item);
      if (this.size >= CHUNK_BYTES) yield this.take();
    }
  }

  /**
   * Reuses one buffer: with a new one per chunk the garbage collector would mark the whole state
   * repeatedly.
   */
  private take(): Buffer {
    const chunk = this.buffer.subarray(0, this.size);
    this.size = 0;
    return chunk;
  }

  private fields(object: object, { keys }: Shape): void {
    const fields = object as Readonly<Record<string, unknown>>;
    for (const key of keys) this.value(fields[key]);
  }

  private value(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'bigint') this.bigint(value);
    else if (value === null) this.tag(TAG.null);
    else if (typeof value === 'object') this.object(value);
    else if (typeof value === 'boolean') this.tag(value ? TAG.true : TAG.false);
    else if (value === undefined) this.tag(TAG.undefined);
    else throw new GraphError(`a ${typeof value} cannot be written`);
  }

  private object(object: object): void {
    const known = this.ids.get(object);
    if (known !== undefined) this.counted(TAG.reference, known);
    else if (Object.getPrototypeOf(object) === Uint8Array.prototype) {
      this.bytes(object as Uint8Array);
    } else {
      const collection = collectionTag(object);
      if (collection === null) this.shaped(object, this.shapes.of(object));
      else {
        this.note(object, null);
        this.counted(collection, sizeOf(object));
      }
    }
  }

  private bytes(bytes: Uint8Array): void {
    this.ids.set(bytes, this.ids.size);
    this.reserve(SLACK_BYTES + bytes.length);
    this.counted(TAG.bytes, bytes.length);
    this.buffer.set(bytes, this.size);
    this.size += bytes.length;
  }

  private shaped(object: object, shape: Shape): void {
    if (shape.isOwned) {
      this.shapeTag(shape);
      this.fields(object, shape);
      return;
    }
    this.note(object, shape);
    this.shapeTag(shape);
    if (shape.made !== null) this.keep(object, shape.made.kept ?? []);
  }

  private note(object: object, shape: Shape | null): void {
    this.ids.set(object, this.ids.size);
    this.found.push(object);
    this.foundShapes.push(shape);
  }

  /** Assigns numbers to the objects that the reader's own instance already contains. */
  private keep(object: object, kept: readonly string[]): void {
    for (const key of kept) {
      const part = (object as Readonly<Record<string, unknown>>)[key];
      if (typeof part !== 'object' || part === null || this.ids.has(part)) continue;
      this.ids.set(part, this.ids.size);
    }
  }

  private shapeTag(shape: Shape): void {
    let id = this.shapeIds.get(shape);
    if (id === undefined) {
      id = this.shapeIds.size;
      this.shapeIds.set(shape, id);
      this.counted(TAG.newShape, shape.type);
      this.count(shape.keys.length);
      for (const key of shape.keys) this.text(key);
    }
    this.counted(TAG.object, id);
  }

  private number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      this.tag(TAG.double);
      this.size = this.buffer.writeDoubleLE(value, this.size);
    } else if (value >= 0) this.counted(TAG.integer, value);
    else this.counted(TAG.negativeInteger, -1 - value);
  }

  private bigint(value: bigint): void {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) this.largeBigint(value);
    else if (number >= 0) this.counted(TAG.bigint, number);
    else this.counted(TAG.negativeBigint, -1 - number);
  }

  private largeBigint(value: bigint): void {
    const words: bigint[] = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest /= WORD) words.push(rest % WORD);
    this.reserve(SLACK_BYTES + words.length * 8);
    this.counted(value < 0n ? TAG.largeNegativeBigint : TAG.largeBigint, words.length);
    for (const word of words) this.size = this.buffer.writeBigUInt64LE(word, this.size);
  }

  private text(text: string): void {
    const known = this.texts.get(text);
    if (known === undefined) this.newText(text);
    else this.counted(TAG.textAgain, known);
  }

  private newText(text: string): void {
    if (this.texts.size === TEXTS_MAX) this.texts.clear();
    this.texts.set(text, this.texts.size);
    const isWhole = text.isWellFormed();
    const encoding = isWhole ? 'utf8' : 'utf16le';
    const length = isWhole ? Buffer.byteLength(text) : text.length * 2;
    this.reserve(SLACK_BYTES + length);
    this.counted(isWhole ? TAG.text : TAG.brokenText, length);
    this.size += this.buffer.write(text, this.size, encoding);
  }

  private counted(tag: number, count: number): void {
    this.tag(tag);
    this.count(count);
  }

  private tag(tag: number): void {
    this.reserve(SLACK_BYTES);
    this.buffer[this.size++] = tag;
  }

  private count(count: number): void {
    this.reserve(SLACK_BYTES);
    let rest = count;
    // Bit operations are limited to 31 bits.
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) {
      this.buffer[this.size++] = (rest % 128) | 128;
    }
    for (; rest > 127; rest >>>= 7) this.buffer[this.size++] = (rest & 127) | 128;
    this.buffer[this.size++] = rest;
  }

  private reserve(bytes: number): void {
    if (this.size + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.size + bytes));
    this.buffer.copy(larger, 0, 0, this.size);
    this.buffer = larger;
  }
}

function collectionTag(object: object): number | null {
  if (object instanceof Map) return TAG.map;
  if (Array.isArray(object)) return TAG.array;
  return object instanceof Set ? TAG.set : null;
}

function sizeOf(object: object): number {
  return Array.isArray(object) ? object.length : (object as ReadonlySet<unknown>).size;
}
