import { type Static, type TObject, type TObjectOptions, type TSchema, Type } from 'typebox';

/** How a value of the model is written on the wire. */
export interface WireKind<Value, Schema extends TSchema = TSchema, Context = unknown> {
  readonly schema: Schema;
  /** `context` is what the record is presented with, beside its value. */
  readonly present: (value: Value, context: Context) => Static<Schema>;
}

/** A row of the table of a record. The description may be left out where the name suffices. */
type WireField<Source, Context, Kind> = readonly [
  kind: Kind,
  from: PropertyOf<Source, ValueOf<Kind>> | ((source: Source, context: Context) => ValueOf<Kind>),
  description?: string,
];

type AnyKind<Context> = WireKind<never, TSchema, Context>;
type ValueOf<Kind> = Kind extends WireKind<infer Value, TSchema, never> ? Value : never;

/** Names of the properties whose values a kind can present. */
type PropertyOf<Source, Value> = {
  [Name in keyof Source & string]: Source[Name] extends Value ? Name : never;
}[keyof Source & string];

type SchemaOf<Kinds extends Readonly<Record<string, { readonly schema: TSchema }>>> = TObject<{
  -readonly [Name in keyof Kinds]: Kinds[Name]['schema'];
}>;

/** A record on the wire. It is also a kind, so it can be nested in other records. */
export interface WireRecord<Source, Context, Fields, Schema extends TSchema> {
  /** The table, to be spread into that of a larger record. */
  readonly fields: Fields;
  readonly schema: Schema;
  readonly present: unknown extends Context
    ? (source: Source, context?: unknown) => Static<Schema>
    : (source: Source, context: Context) => Static<Schema>;
}

interface Options<Wire> extends Omit<TObjectOptions, 'examples'> {
  readonly examples?: readonly Example<Wire>[];
}

/** Examples may be constants. */
type Example<Wire> = Wire extends object
  ? { readonly [Name in keyof Wire]: Example<Wire[Name]> }
  : Wire;

/** An object on the wire, as a presenter returns it. */
export type Wire<Record extends { readonly schema: TSchema }> = Static<Record['schema']>;

/**
 * Describes a record on the wire by one table: name, kind, origin and description of each field, in
 * wire order. The origin is a property of the source, or a function of source and context. Body
 * schema, static type and presenter follow from the table.
 *
 *     const Holder = wireRecord<HolderBalance>()({
 *       holder_address: [address, 'owner'],
 *       is_lp: [flag, 'isPool', 'Whether the holder is a pool.'],
 *       age_seconds: [integer, ({ firstSeenMs }) => Math.floor((NOW_MS - firstSeenMs) / 1_000)],
 *     });
 *     Holder.schema;
 *     Holder.present(balance);
 */
export function wireRecord<Source, Context = unknown>() {
  return <const Kinds extends Readonly<Record<string, AnyKind<Context>>>>(
    fields: { readonly [Name in keyof Kinds]: WireField<Source, Context, Kinds[Name]> },
    options?: Options<Static<SchemaOf<Kinds>>>,
  ): WireRecord<Source, Context, typeof fields, SchemaOf<Kinds>> => {
    const table: [string, AnyField][] = Object.entries(fields);
    const properties = Object.fromEntries(
      table.map(([name, [{ schema }, , description]]) => [
        name,
        withDescription(schema, description),
      ]),
    );
    return {
      fields,
      schema: Type.Object(properties, options as TObjectOptions) as SchemaOf<Kinds>,
      present: compilePresenter(table),
    };
  };
}

type AnyField = readonly [
  kind: { readonly schema: TSchema; readonly present: unknown },
  from: unknown,
  description?: string,
];

/** One presenter for each field of a record, to present a selection of fields. */
export function presentersOf<Source, Schema extends TSchema>({
  fields,
}: WireRecord<Source, unknown, object, Schema>) {
  const table: [string, AnyField][] = Object.entries(fields);
  const presenters = table.map(([name, field]) => {
    const present = compilePresenter([[name, field]]);
    return [name, (source: Source) => present(source)[name]];
  });
  return Object.fromEntries(presenters) as {
    readonly [Name in keyof Static<Schema>]: (source: Source) => Static<Schema>[Name];
  };
}

/** The schema with another description. */
export function withDescription<Schema extends TSchema>(
  schema: Schema,
  description: string | undefined,
): Schema {
  return description === undefined ? schema : { ...schema, description };
}

/** The presenter of kinds whose values are written as they are. */
export function asIs<Value>(value: Value): Value {
  return value;
}

/**
 * An object literal with the fields of a table, compiled once: a loop over the table would take
 * five times as long. The code consists of nothing but names from the table.
 */
function compilePresenter(table: readonly (readonly [string, AnyField])[]) {
  const functions: unknown[] = [];
  const call = (called: unknown, values: string): string =>
    `call${functions.push(called)}(${values}, context)`;
  const entries = table.map(([wireName, [{ present }, from]]) => {
    const value =
      typeof from === 'string' ? `source[${JSON.stringify(from)}]` : call(from, 'source');
    return `${JSON.stringify(wireName)}: ${present === asIs ? value : call(present, value)}`;
  });
  const names = functions.map((_, at) => `call${at + 1}`);
  const code = `return (source, context) => ({ ${entries.join(', ')} });`;
  return new Function(...names, code)(...functions);
}
