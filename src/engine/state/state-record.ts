import type { FieldPresence, FieldsOf, GraphRecord } from '../../lib/graph-types.ts';
import type { Codec, Fields, RecordOf } from '../../model/codec.ts';

/** The graph record of an interface; `fields` lists each field as always or optionally present. */
export function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}

/** The graph record of a record that the model describes. */
export function described(name: string, { fields }: { readonly fields: Fields }): GraphRecord {
  return { name, fields: presences(fields) };
}

/** The graph record of a member of a union by kind. */
export function describedKind(name: string, { fields }: { readonly fields: Fields }): GraphRecord {
  return { name, fields: { kind: 'always', ...presences(fields) } };
}

/** The graph record of all members of a union by kind: any field but the kind may be absent. */
export function describedUnion(
  name: string,
  { members }: { readonly members: Readonly<Record<string, { readonly fields: Fields }>> },
): GraphRecord {
  const fields: Record<string, FieldPresence> = { kind: 'always' };
  for (const member of Object.values(members)) {
    for (const field of Object.keys(member.fields)) fields[field] = 'optional';
  }
  return { name, fields };
}

/** Whether each described field is always present. */
export function presences<F extends Fields>(fields: F): FieldsOf<RecordOf<F>> {
  const presenceOf = (codec: Codec<unknown>) => ('isOptional' in codec ? 'optional' : 'always');
  return Object.fromEntries(
    Object.entries(fields).map(([name, codec]) => [name, presenceOf(codec)] as const),
  ) as FieldsOf<RecordOf<F>>;
}
