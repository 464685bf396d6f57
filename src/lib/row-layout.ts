/** Kinds that `number` reads: unsigned integers of 8, 16 and 32 bits, and floats of 64 bits. */
export type NumberKind = 'u8' | 'u16' | 'u32' | 'f64';
/** Kinds that `bigint` reads: integers of 64 bits, signed and unsigned. */
export type BigintKind = 'i64' | 'u64';
/** The type of a field's values. */
export type FieldKind = NumberKind | BigintKind;

/** The byte offset of a field in its row; `length` values follow one another there. */
export interface Field<Kind extends FieldKind = FieldKind> {
  readonly kind: Kind;
  readonly offset: number;
  readonly length: number;
}

/** The fields of a row: a kind, or a kind and a number of values. */
export type RowSpec = Readonly<Record<string, FieldKind | readonly [FieldKind, number]>>;

/** The offsets of the fields of a row. */
export interface RowLayout<Spec extends RowSpec> {
  readonly fields: { readonly [Name in keyof Spec]: Field<KindOf<Spec[Name]>> };
  /** A multiple of 8. */
  readonly rowBytes: number;
}

type KindOf<Entry> = Entry extends readonly [infer Kind extends FieldKind, number]
  ? Kind
  : Entry extends FieldKind
    ? Entry
    : never;

/** Bytes per value, by kind. */
export const FIELD_WIDTHS: Readonly<Record<FieldKind, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  f64: 8,
  i64: 8,
  u64: 8,
};
const ROW_ALIGNMENT = 8;

/** Lays out the fields, the widest first: each is aligned, and only the end of a row is padding. */
export function rowLayout<const Spec extends RowSpec>(spec: Spec): RowLayout<Spec> {
  const entries = Object.entries(spec).map(([name, entry]) => {
    const [kind, length] = typeof entry === 'string' ? ([entry, 1] as const) : entry;
    return { name, kind, length };
  });
  entries.sort((one, other) => FIELD_WIDTHS[other.kind] - FIELD_WIDTHS[one.kind]);
  const fields: Record<string, Field> = {};
  let offset = 0;
  for (const { name, kind, length } of entries) {
    fields[name] = { kind, offset, length };
    offset += FIELD_WIDTHS[kind] * length;
  }
  const rowBytes = Math.max(1, Math.ceil(offset / ROW_ALIGNMENT)) * ROW_ALIGNMENT;
  return { fields: fields as RowLayout<Spec>['fields'], rowBytes };
}
