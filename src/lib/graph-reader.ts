import { ByteReader } from './byte-reader.ts';
import { TAG, TEXTS_MAX } from './graph-tags.ts';
import { GraphError, type GraphTypes, type Shape, Shapes } from './graph-types.ts';

type Fields = Record<string, unknown>;

/** A shape with a template object to copy; null for classes. */
interface ReadShape {
  readonly shape: Shape;
  readonly pattern: Fields | null;
}

/** Reads graphs written by a GraphWriter with the same types. Layout: graph-tags.ts. */
export class GraphReader {
  private readonly shapes: Shapes;
  private readonly externals: ReadonlySet<object>;
  private readonly bytes: ByteReader;
  private readonly readShapes: ReadShape[] = [];
  /** By reference number. */
  private readonly objects: object[];
  private readonly texts: string[] = [];
  /** Objects in the order of their first reference, with their shape or number of entries. */
  private readonly found: object[] = [];
  private readonly foundSizes: (Shape | number)[] = [];

  /**
   * `bytes`: the chunks as the writer cut them, or a reader positioned in a longer sequence of
   * values.
   */
  constructor(types: GraphTypes, bytes: Iterable<Uint8Array> | ByteReader) {
    this.shapes = new Shapes(types);
    this.externals = new Set(types.externals);
    this.objects = [...types.externals];
    this.bytes = bytes instanceof ByteReader ? bytes : new ByteReader(bytes);
  }

  /** Reads the root. Throws GraphError for bytes that are not exactly one graph of these types. */
  read(): unknown {
    const root = this.readFirst();
    this.bytes.assertEnd();
    return root;
  }

  /** Reads the root; other bytes may follow. Throws GraphError for bytes that are no graph. */
  readFirst(): unknown {
    const root = this.value();
    for (let index = 0; index < this.found.length; index++) {
      this.fill(this.found[index], this.foundSizes[index]);
    }
    return root;
  }

  private fill(object: unknown, size: Shape | number | undefined): void {
    if (typeof size === 'object') this.fields(object as Fields, size);
    else if (size === undefined) throw new GraphError('an object was never referred to');
    else if (object instanceof Map) this.entries(object, size);
    else if (object instanceof Set) for (let at = 0; at < size; at++) object.add(this.value());
    else for (let at = 0; at < size; at++) (object as unknown[]).push(this.value());
  }

  private entries(map: Map<unknown, unknown>, size: number): void {
    for (let at = 0; at < size; at++) {
      const key = this.value();
      map.set(key, this.value());
    }
  }

  private fields(object: Fields, { keys }: Shape): object {
    for (const key of keys) object[key] = this.value();
    return object;
  }

  private value(): unknown {
    const tag = this.bytes.tag();
    switch (tag) {
      case TAG.text:
      case TAG.brokenText:
        return this.newText(tag === TAG.text ? 'utf8' : 'utf16le');
      case TAG.textAgain:
        return at(this.texts, this.bytes.count());
      case TAG.reference:
        return at(this.objects, this.bytes.count());
      case TAG.newShape:
        this.newShape();
        return this.value();
      case TAG.object:
        return this.object();
      case TAG.array:
        return this.note([], this.bytes.count());
      case TAG.map:
        return this.note(new Map(), this.bytes.count());
      case TAG.set:
        return this.note(new Set(), this.bytes.count());
      case TAG.bytes:
        return this.newBytes();
      default:
        return this.simple(tag);
    }
  }

  private simple(tag: number): unknown {
    const { bytes } = this;
    switch (tag) {
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.false:
        return false;
      case TAG.true:
        return true;
      case TAG.integer:
        return bytes.count();
      case TAG.negativeInteger:
        return -1 - bytes.count();
      case TAG.double:
        return bytes.double();
      case TAG.bigint:
        return BigInt(bytes.count());
      case TAG.negativeBigint:
        return BigInt(-1 - bytes.count());
      case TAG.largeBigint:
        return this.magnitude();
      case TAG.largeNegativeBigint:
        return -this.magnitude();
      default:
        throw new GraphError(`no value begins with ${tag}`);
    }
  }

  private magnitude(): bigint {
    const words = this.bytes.count();
    let magnitude = 0n;
    for (let word = 0; word < words; word++) magnitude += this.bytes.word() << BigInt(word * 64);
    return magnitude;
  }

  private newText(encoding: 'utf8' | 'utf16le'): string {
    if (this.texts.length === TEXTS_MAX) this.texts.length = 0;
    const text = this.bytes.text(this.bytes.count(), encoding);
    this.texts.push(text);
    return text;
  }

  private newBytes(): Uint8Array {
    const bytes = this.bytes.bytes(this.bytes.count());
    this.objects.push(bytes);
    return bytes;
  }

  private newShape(): void {
    const type = this.bytes.count();
    const count = this.bytes.count();
    const keys: string[] = [];
    for (let index = 0; index < count; index++) keys.push(String(this.value()));
    const shape = this.shapes.read(type, keys);
    this.readShapes.push({ shape, pattern: shape.made === null ? patternOf(keys) : null });
  }

  private object(): object {
    const { shape, pattern } = at(this.readShapes, this.bytes.count());
    if (shape.made === null) {
      const record = { ...pattern };
      return shape.isOwned ? this.fields(record, shape) : this.note(record, shape);
    }
    const instance = shape.made.create() as Fields;
    this.note(instance, shape);
    for (const key of shape.made.kept ?? []) {
      const part = instance[key];
      if (typeof part !== 'object' || part === null || this.externals.has(part)) continue;
      this.objects.push(part);
    }
    return instance;
  }

  private note(object: object, size: Shape | number): object {
    this.objects.push(object);
    this.found.push(object);
    this.foundSizes.push(size);
    return object;
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new GraphError(`number ${index} refers to nothing`);
  return item;
}

/** Built by the JSON parser, which allocates the fields inside the object, as a literal does. */
function patternOf(keys: readonly string[]): Fields {
  return JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:null`).join()}}`);
}
