import { type Static, type TSchema, Type } from 'typebox';

/** An object that has exactly one of two optional fields. */
export function ExactlyOne<Schema extends TSchema>(
  schema: Schema,
  [one, other]: readonly [string, string],
) {
  const refined = Type.Refine<TSchema, Readonly<Record<string, unknown>>>(
    schema,
    (value) => (value[one] === undefined) !== (value[other] === undefined),
    (value) =>
      value[one] === undefined
        ? `${one} or ${other} is required`
        : `${one} is not allowed together with ${other}`,
  );
  return Type.Unsafe<Static<Schema>>(refined);
}
