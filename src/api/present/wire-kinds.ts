import { type Static, type TSchema, Type } from 'typebox';
import type { Address, Lamports, PriceE18, RawAmount, UsdNano } from '../../model/units.ts';
import { unescaped } from '../schemas/compile-response.ts';
import { AddressText, Nullable } from '../schemas/wire.ts';
import { formatInstant, formatPrice, formatSol, formatTokens, formatUsd } from './format-wire.ts';
import { asIs, type WireKind, withDescription } from './wire-record.ts';

/** Values that already have the form of the schema. */
export function plain<Schema extends TSchema>(schema: Schema): WireKind<Static<Schema>, Schema> {
  return { schema, present: asIs };
}

export const address: WireKind<Address, typeof AddressText> = plain(unescaped(AddressText));
export const uuid = plain(Type.String({ format: 'uuid' }));
export const text = plain(Type.String());
export const integer = plain(Type.Integer());
export const number = plain(Type.Number());
export const flag = plain(Type.Boolean());

/** One of several string values. */
export function word<const Choice extends string>(choices: readonly Choice[]) {
  return plain(Type.Unsafe<Choice>({ type: 'string', enum: choices }));
}

/** One of several string values, or null for unknown. */
export function maybeWord<const Choice extends string>(choices: readonly Choice[]) {
  return plain(Type.Unsafe<Choice | null>({ type: ['string', 'null'], enum: [...choices, null] }));
}

const Instant = Type.String({ format: 'date-time' });

/** UTC with milliseconds, 2025-01-15T14:32:08.000Z, from Unix milliseconds. */
export const instant: WireKind<number, typeof Instant> = {
  schema: Instant,
  present: formatInstant,
};

const DecimalText = unescaped(Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$' }));
type Decimal<Value> = WireKind<Value, typeof DecimalText>;

/** A decimal number in plain notation, as text to preserve all digits. */
export function decimalOf<Value>(present: (value: Value) => string): Decimal<Value> {
  return { schema: DecimalText, present };
}

const WholeText = Type.String({ pattern: '^[0-9]+$' });

/** A whole number that may be larger than JSON numbers can represent, as text. */
export const wholeText: WireKind<bigint, typeof WholeText> = {
  schema: WholeText,
  present: String,
};

/** A decimal number that is text already. */
export const decimal = plain(DecimalText);
export const usd = decimalOf<UsdNano>(formatUsd);
export const sol = decimalOf<Lamports>(formatSol);
export const price = decimalOf<PriceE18>(formatPrice);

/** A statistic with exactly `fractionDigits` digits after the point. */
export function rounded(fractionDigits: number): Decimal<number> {
  return decimalOf((value) => value.toFixed(fractionDigits));
}

/** Whole tokens of the mint whose decimals are the context; null if either is unknown. */
export const tokens: WireKind<
  RawAmount | null,
  ReturnType<typeof Nullable<typeof DecimalText>>,
  number | null
> = { schema: Nullable(DecimalText), present: formatTokens };

/** The same kind with a description, for several fields. */
export function described<Value, Schema extends TSchema, Context>(
  { schema, present }: WireKind<Value, Schema, Context>,
  description: string,
): WireKind<Value, Schema, Context> {
  return { schema: withDescription(schema, description), present };
}

/** The same kind, also allowing null. Null means unknown. */
export function nullable<Value, Schema extends TSchema & { readonly type: string }, Context>({
  schema,
  present,
}: WireKind<Value, Schema, Context>): WireKind<
  Value | null,
  ReturnType<typeof Nullable<Schema>>,
  Context
> {
  return { schema: Nullable(schema), present: orNull(present) };
}

/** Like `nullable`, written in the schema as a union. */
export function unionNull<Value, Schema extends TSchema, Context>({
  schema,
  present,
}: WireKind<Value, Schema, Context>) {
  return { schema: Type.Union([schema, Type.Null()]), present: orNull(present) };
}

function orNull<Value, Context, Wire>(
  present: (value: Value, context: Context) => Wire,
): (value: Value | null, context: Context) => Wire | null {
  if (Object.is(present, asIs)) return asIs as never;
  return (value, context) => (value === null ? null : present(value, context));
}

/** Nullable, unlike in the specification, because the block time of a slot may be unknown. */
export const maybeInstant = described(
  nullable(instant),
  'Null (extension of the specification) if the block time of the slot is unknown.',
);

/** A list of values of one kind. */
export function list<Value, Schema extends TSchema, Context>({
  schema,
  present,
}: WireKind<Value, Schema, Context>): WireKind<
  readonly Value[],
  ReturnType<typeof Type.Array<Schema>>,
  Context
> {
  const presentAll = (values: readonly Value[], context: Context) =>
    values.map((value) => present(value, context));
  return {
    schema: Type.Array(schema),
    present: Object.is(present, asIs) ? (asIs as never) : presentAll,
  };
}

/** Records of several kinds, each presented by the table of its `kind`. */
export function oneOf<Value extends { readonly kind: string }, Context = unknown>() {
  return <
    Tables extends {
      readonly [Kind in Value['kind']]: WireKind<Extract<Value, { kind: Kind }>, TSchema, Context>;
    },
  >(
    tables: Tables,
  ) => {
    type Schema = Tables[Value['kind']]['schema'];
    const byKind: Readonly<Record<string, WireKind<never, Schema, Context>>> = tables;
    const schemas = Object.values(byKind).map(({ schema }) => schema);
    const kind: WireKind<Value, Schema, Context> = {
      schema: Type.Union(schemas) as TSchema as Schema,
      present: (value, context) => byKind[value.kind]?.present(value as never, context) as never,
    };
    return kind;
  };
}
