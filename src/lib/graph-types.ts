/** Thrown for a value that cannot be written as a graph, and for bytes that are not a graph. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
}

/** A class whose instances may occur in a graph. */
export interface GraphClass {
  readonly name: string;
  /** Creates an instance whose fields will be overwritten; it also defines which fields exist. */
  readonly create: () => object;
  /**
   * Fields that keep the value `create` gives them and are not written. The objects they refer to
   * may be referenced from elsewhere in the graph, after the instance itself.
   */
  readonly kept?: readonly string[];
}

/** A type of plain object, identified by its fields. */
export interface GraphRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldPresence>>;
  /**
   * Each object of this type is referenced from one place only. It is written inline and needs no
   * entry in the reference table: for types with millions of objects.
   */
  readonly isOwned?: boolean;
}

export type FieldPresence = 'always' | 'optional';

/** The types of object that may occur in a graph besides arrays, Maps, Sets and Uint8Arrays. */
export interface GraphTypes {
  readonly classes: readonly GraphClass[];
  readonly records: readonly GraphRecord[];
  /** Objects that writer and reader both already have, in the same order. */
  readonly externals: readonly object[];
}

/**
 * States for every field of an interface whether it is always present. A missing or an extra field
 * does not compile; for a union the fields of all members count.
 */
export type FieldsOf<Stored> = {
  readonly [Key in KeyOfAny<Stored>]-?: Key extends keyof Stored
    ? Partial<Pick<Stored, Key>> extends Pick<Stored, Key>
      ? 'optional'
      : 'always'
    : 'optional';
};

type KeyOfAny<Union> = Union extends Union ? keyof Union : never;

/** The fields of objects of one type, in their order of creation. */
export interface Shape {
  /** Index of the type in the list of classes followed by records. */
  readonly type: number;
  readonly keys: readonly string[];
  readonly made: GraphClass | null;
  readonly isOwned: boolean;
}

/** All types as text: a graph can be read with any set of types that has the same text. */
export function describeTypes({ classes, records, externals }: GraphTypes): string {
  const lines = [`${externals.length} externals`];
  for (const { name, create, kept = [] } of classes) {
    lines.push(`class ${name}: ${Object.keys(create()).join(' ')}; kept: ${kept.join(' ')}`);
  }
  for (const { name, fields, isOwned = false } of records) {
    const described = Object.entries(fields).map(([key, presence]) => `${key} ${presence}`);
    lines.push(`record ${name}: ${described.join(', ')}; owned: ${isOwned}`);
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

  /** Throws GraphError for an object of an unregistered type. */
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

  /** Returns the shape with this type and these fields. Throws GraphError if there is none. */
  read(type: number, keys: readonly string[]): Shape {
    const made = this.types.classes[type];
    const shape = made === undefined ? this.recordShape(keys) : this.ofClass.get(prototypeOf(made));
    if (shape?.type === type && shape.keys.join() === keys.join()) return shape;
    throw new GraphError(`there is no kind ${type} with the fields ${keys.join(', ')}`);
  }

  /** Follows the fields in their order; called for every record of a graph. */
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

/** A node in the tree of key sequences; nearly always one key follows. */
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
