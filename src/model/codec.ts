import { StoreError } from './errors.ts';

/** A JSON value. Decoders check its shape only where necessary. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Converts between a value and compact JSON. Repeated texts go into a string table. */
export interface Codec<T> {
  encode(value: T, strings: StringTable): Json;
  decode(json: Json, strings: readonly string[]): T;
}

/** The codec of a property that may be absent. */
export interface OptionalCodec<T> extends Codec<T | undefined> {
  readonly isOptional: true;
}

/** The type of a codec's values. */
export type Decoded<Described> = Described extends Codec<infer T> ? T : never;

/** Stores each distinct text once. Values refer to it by index. */
export class StringTable {
  readonly texts: string[] = [];
  private readonly indexes = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.indexes.get(text);
    if (known !== undefined) return known;
    const index = this.texts.push(text) - 1;
    this.indexes.set(text, index);
    return index;
  }
}

/**
 * A value as the text `[format, strings, body]`. A format name always means the same layout.
 * `decode` reads what `encode` wrote; it throws StoreError for any other text.
 */
export interface TextFormat<T> {
  readonly name: string;
  encode(value: T): string;
  decode(text: string): T;
}

export function textFormat<T>(format: string, codec: Codec<T>): TextFormat<T> {
  return {
    name: format,
    encode(value) {
      const strings = new StringTable();
      const body = codec.encode(value, strings);
      return JSON.stringify([format, strings.texts, body]);
    },
    decode(text) {
      try {
        const [found, strings, body] = JSON.parse(text) as [string, string[], Json];
        if (found === format) return codec.decode(body, strings);
        throw new StoreError(
          `A stored record has the format ${found}; this version reads ${format}.`,
        );
      } catch (error) {
        if (error instanceof StoreError) throw error;
        throw new StoreError(`A stored ${format} record cannot be read.`, { cause: error });
      }
    },
  };
}

/** Numbers, booleans and plain objects of them, which are JSON without conversion. */
export function plain<T>(): Codec<T> {
  return { encode: (value) => value as Json, decode: (json) => json as T };
}

/** Text that rarely repeats. */
export const text: Codec<string> = plain();

/** Text that repeats within one value, mostly addresses. */
export function interned<T extends string>(): Codec<T> {
  return {
    encode: (value, strings) => strings.indexOf(value),
    decode(json, strings) {
      const value = strings[json as number];
      if (value === undefined) throw new StoreError(`A stored record has no text ${String(json)}.`);
      return value as T;
    },
  };
}

/** A number without loss: JSON has no infinity, NaN or negative zero. */
export const float: Codec<number> = {
  encode(value) {
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? value : String(value);
  },
  decode: Number,
};

/** Integers of any size: a JSON number while it is exact, else text. */
export function integer<T extends bigint>(): Codec<T> {
  return {
    encode(value) {
      const small = Number(value);
      return Number.isSafeInteger(small) ? small : value.toString();
    },
    decode: (json) => BigInt(json as string | number) as T,
  };
}

export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    encode: (value, strings) => (value === null ? null : codec.encode(value, strings)),
    decode: (json, strings) => (json === null ? null : codec.decode(json, strings)),
  };
}

/**
 * A property that may be absent. Absence is stored as `false`, which the inner codec must not use.
 * A record that was written before the property was appended ends before it.
 */
export function optional<T>(codec: Codec<T>): OptionalCodec<T> {
  return {
    isOptional: true,
    encode: (value, strings) => (value === undefined ? false : codec.encode(value, strings)),
    decode: (json, strings) =>
      json === false || json === undefined ? undefined : codec.decode(json, strings),
  };
}

/** A value that is undefined while it is unknown. */
export function unknownOr<T>(codec: Codec<T>): Codec<T | undefined> {
  const { encode, decode } = optional(codec);
  return { encode, decode };
}

/** A property appended to its record later: `before` is its value in records without it. */
export function added<T>(codec: Codec<T>, before: T): Codec<T> {
  return {
    encode: codec.encode,
    decode: (json, strings) => (json === undefined ? before : codec.decode(json, strings)),
  };
}

export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (values, strings) => values.map((value) => codec.encode(value, strings)),
    decode: (json, strings) => (json as Json[]).map((value) => codec.decode(value, strings)),
  };
}

/** A codec for every property of a record. */
export type Fields = Readonly<Record<string, Codec<unknown>>>;

/**
 * The record that `fields` describe. The types of records are derived from their descriptions:
 * `interface Tip extends Described<typeof TIP> {}`.
 */
export type RecordOf<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends OptionalCodec<unknown> ? never : Name]: Decoded<
    F[Name]
  >;
} & {
  readonly [Name in keyof F as F[Name] extends OptionalCodec<unknown> ? Name : never]?: Exclude<
    Decoded<F[Name]>,
    undefined
  >;
};

export interface RecordCodec<F extends Fields> extends Codec<RecordOf<F>> {
  readonly fields: F;
}

/**
 * The same record without its absent properties at the end: a value that has none of the properties
 * that were appended as `optional` is stored as it was before.
 */
export function shortened<F extends Fields>(codec: RecordCodec<F>): RecordCodec<F> {
  const isRequired = (field: Codec<unknown>) => !('isOptional' in field);
  const lengthMin = Object.values(codec.fields).findLastIndex(isRequired) + 1;
  return {
    ...codec,
    encode(value, strings) {
      const values = codec.encode(value, strings) as Json[];
      while (values.length > lengthMin && values.at(-1) === false) values.pop();
      return values;
    },
  };
}

/** The type of a described record. */
export type Described<Description extends { readonly fields: Fields }> = RecordOf<
  Description['fields']
>;

/** The same for a member of a union. */
export type WithKind<Name extends string, Description extends { readonly fields: Fields }> = {
  readonly kind: Name;
} & Described<Description>;

/**
 * Describes a record, stored as an array of its values in the order of `fields`: that order is the
 * format. A field may be appended as `added` or `optional`; removing or reordering fields needs a new
 * format name.
 */
export function record<F extends Fields>(fields: F): RecordCodec<F> {
  type Value = Record<string, unknown>;
  const names = Object.keys(fields);
  const codecs = Object.values(fields) as Codec<unknown>[];
  const codec: Codec<Value> = {
    encode: (value, strings) =>
      codecs.map((each, index) => each.encode(value[names[index] as string], strings)),
    decode(json, strings) {
      const values = json as readonly Json[];
      const result: Value = {};
      for (let index = 0; index < codecs.length; index++) {
        const value = codecs[index]?.decode(values[index] as Json, strings);
        if (value !== undefined) result[names[index] as string] = value;
      }
      return result;
    },
  };
  return { ...codec, fields } as unknown as RecordCodec<F>;
}

/** The codecs of a union's members, by kind. */
export type Members = Readonly<Record<string, Codec<unknown>>>;

export type UnionOf<M extends Members> = {
  [Name in keyof M]: Flat<{ readonly kind: Name } & Decoded<M[Name]>>;
}[keyof M];

type Flat<T> = { [Name in keyof T]: T[Name] };

export interface UnionCodec<M extends Members> extends Codec<UnionOf<M>> {
  readonly members: M;
}

/** A union discriminated by `kind`, stored as `[kind, values of the member]`. */
export function unionByKind<M extends Members>(members: M): UnionCodec<M> {
  type Value = { readonly kind: string };
  const codecs = new Map(Object.entries(members) as [string, Codec<object>][]);
  const memberOf = (kind: string) => {
    const codec = codecs.get(kind);
    if (codec === undefined) throw new StoreError(`A stored record has the unknown kind ${kind}.`);
    return codec;
  };
  const codec: Codec<Value> = {
    encode: (value, strings) => [value.kind, memberOf(value.kind).encode(value, strings)],
    decode(json, strings) {
      const [kind, values] = json as [string, Json];
      return { kind, ...memberOf(kind).decode(values, strings) };
    },
  };
  return { ...codec, members } as unknown as UnionCodec<M>;
}
