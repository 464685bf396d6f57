/** Something that cannot be written as a graph, or bytes that are none. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
}

/** A class whose instances may be in a graph. */
export interface GraphClass {
  readonly name: string;
  /** An instance whose fields are about to be replaced; it tells which fields there are. */
  readonly create: () => object;
  /**
   * Fields that stay as `create` makes them and are not written. What they refer to may be referred
   * to from elsewhere in the graph, after the instance itself.
   */
  readonly kept?: readonly string[];
}

/** A kind of plain object, by its fields. */
export interface GraphRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldPresence>>;
  /**
   * Each one is referred to from one place only. It is written there, and nothing is remembered of
   * it: for what there are millions of.
   */
  readonly isOwned?: boolean;
}

export type FieldPresence = 'always' | 'optional';

/** Every kind of object that may be in a graph besides arrays, Maps, Sets and Uint8Arrays. */
export interface GraphTypes {
  readonly classes: readonly GraphClass[];
  readonly records: readonly GraphRecord[];
  /** Objects that writer and reader both have already, in the same order. */
  readonly externals: readonly object[];
}

/**
 * Says of every field of an interface whether it is always there. A field that is missing or too
 * many does not compile; for a union all fields of its members count.
 */
export type FieldsOf<Stored> = {
  readonly [Key in KeyOfAny<Stored>]-?: Key extends keyof Stored
    ? Partial<Pick<Stored, Key>> extends Pick<Stored, Key>
      ? 'optional'
      : 'always'
    : 'optional';
};

type KeyOfAny<Union> = Union extends Union ? keyof Union : never;

/** Fields of objects of one kind, in the order they were made in. */
export interface Shape {
  /** Place of the kind among classes, then records. */
  readonly type: number;
  readonly keys: readonly string[];
  readonly made: GraphClass | null;
  readonly isOwned: boolean;
}

/** All kinds as text: two sets of kinds with the same text read each other's graphs. */
export function describeTypes({ classes, records, externals }: GraphTypes): string {
  const lines = [`${externals.length} externals`];
  for (const { name, create, kept = [] } of classes) {
    lines.push(`class ${name}: ${Object.keys(create()).join(' ')}; kept: ${kept.join(' ')}`);
  }
  for (const { name, fields, isOwned = false } of records) {
    const told = Object.entries(fields).map(([key, presence]) => `${key} ${presence}`);
    lines.push(`record ${name}: ${told.join(', ')}; owned: ${isOwned}`);
  }
  return lines.join('\n');
}

/** Finds and checks the shapes of objects. */
export class Shapes {
  private readonly types: GraphTypes;
  private readonly ofClass = new Map<object, Shape>();
  private readonly plain: KeyNode = newKeyNode();

  constructor(types: GraphTypes) {
    this.types = types;
    for (const [type, made] of types.classes.entries()) {
      const sample = made.create();
      const keys = Object.keys(sample).filter((key) => made.kept?.includes(key) !== true);
      this.ofClass.set(Object.getPrototypeOf(sample), { type, keys, made, isOwned: false });
    }
  }

  /** Throws GraphError for an object that no registered kind describes. */
  of(object: object): Shape {
    const prototype = Object.getPrototypeOf(object);
    if (prototype === Object.prototype) return this.ofPlain(object);
    const shape = this.ofClass.get(prototype);
    if (shape === undefined) {
      throw new GraphError(
        `the class ${object.constructor?.name ?? 'without a name'} is not known`,
      );
    }
    return shape;
  }

  /** The shape that was told as a kind and fields. Throws GraphError when there is none such. */
  read(type: number, keys: readonly string[]): Shape {
    const made = this.types.classes[type];
    const shape = made === undefined ? this.recordShape(keys) : this.ofClass.get(prototypeOf(made));
    if (shape?.type === type && shape.keys.join() === keys.join()) return shape;
    throw new GraphError(`there is no kind ${type} with the fields ${keys.join(', ')}`);
  }

  /** Along the fields in their order: this is asked for every record of a graph. */
  private ofPlain(object: object): Shape {
    let node = this.plain;
    for (const key in object) {
      let next = node.firstKey === key ? node.first : node.others.get(key);
      if (next == null) next = addKey(node, key);
      node = next;
    }
    node.shape ??= this.recordShape(Object.keys(object));
    return node.shape;
  }

  private recordShape(keys: readonly string[]): Shape {
    const { classes, records } = this.types;
    const index = records.findIndex(({ fields }) => fits(fields, keys));
    const record = records[index];
    if (record === undefined) {
      throw new GraphError(`records with the fields ${keys.join(', ')} are not known`);
    }
    const { isOwned = false } = record;
    return { type: classes.length + index, keys, made: null, isOwned };
  }
}

/** Where a row of keys has led so far; nearly always one key follows. */
interface KeyNode {
  firstKey: string | null;
  first: KeyNode | null;
  readonly others: Map<string, KeyNode>;
  shape: Shape | null;
}

function newKeyNode(): KeyNode {
  return { firstKey: null, first: null, others: new Map(), shape: null };
}

function addKey(node: KeyNode, key: string): KeyNode {
  const added = newKeyNode();
  if (node.first === null) {
    node.firstKey = key;
    node.first = added;
  } else node.others.set(key, added);
  return added;
}

function prototypeOf({ create }: GraphClass): object {
  return Object.getPrototypeOf(create());
}

function fits(fields: GraphRecord['fields'], keys: readonly string[]): boolean {
  const needed = Object.values(fields).filter((presence) => presence === 'always').length;
  const found = keys.filter((key) => Object.hasOwn(fields, key));
  return (
    found.length === keys.length &&
    found.filter((key) => fields[key] === 'always').length === needed
  );
}
