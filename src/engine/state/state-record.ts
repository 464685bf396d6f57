import type { FieldsOf, GraphRecord } from '../../lib/graph-types.ts';

/** The graph record of an interface; `fields` lists each field as always or optionally present. */
export function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}
