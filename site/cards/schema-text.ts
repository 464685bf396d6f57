import { code, table } from '../markdown/compose.ts';
import { referredName, type Schema } from './open-api.ts';

const VALUES_MAX = 40;

/** The type of a value in a few words, as Markdown; named objects link to their section. */
export function typeText(schema: Schema): string {
  const name = referredName(schema);
  if (name !== null) return `[${name}](#${name.toLowerCase()})`;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
  const words = [schema.type ?? 'any value'].flat().join(' or ');
  return schema.format === undefined ? words : `${words} (${schema.format})`;
}

/** Fields of an object, a row each; empty for what has no fields. */
export function fieldsTable(schema: Schema): string {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([name, field]) => [
    code(name),
    required.includes(name) ? typeText(field) : `${typeText(field)}, optional`,
    constraintText(field),
  ]);
  return rows.length === 0 ? '' : table(['Field', 'Type', 'What it is'], rows);
}

/** Description, allowed values and default. */
export function constraintText({ description, ...schema }: Schema): string {
  const values = schema.enum ?? schema.items?.enum;
  const parts = [
    description ?? '',
    values === undefined || values.length > VALUES_MAX
      ? ''
      : `One of ${values.map((value) => code(`${value}`)).join(', ')}.`,
    rangeText(schema),
    schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function rangeText({ minimum, maximum }: Schema): string {
  const least = minimum === undefined ? '' : `at least ${minimum}`;
  const most =
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`;
  const text = [least, most].filter((part) => part !== '').join(', ');
  return text === '' || text === 'at least 0' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
