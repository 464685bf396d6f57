import type { FieldsOf, GraphRecord } from '../../lib/graph-types.ts';

/** The kind of an interface's objects; `fields` says of each of its fields whether it is always there. */
export function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}
