import { docstring, isName, literal } from './python-text.ts';
import { refName, type Schema, type Schemas } from './schema.ts';

/**
 * The type of a value as an annotation. `namespace` is the module of the named types, such as
 * `api.`. Numbers with a fraction are Decimal: a float would lose digits.
 */
export function typeOf(schema: Schema, namespace = ''): string {
  if (schema.$ref !== undefined) return `${namespace}${refName(schema.$ref)}`;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return enumType(schema.enum);
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => typeOf(one, namespace)));
  const kinds = schema.type === undefined ? [] : [schema.type].flat();
  return union(kinds.map((kind) => kindType(kind, schema, namespace)));
}

function kindType(kind: string, schema: Schema, namespace: string): string {
  switch (kind) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'int | Decimal';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${schema.items === undefined ? 'Any' : typeOf(schema.items, namespace)}]`;
    case 'object':
      return objectType(schema, namespace);
    default:
      throw new TypeError(`No type of Python is known for the JSON type ${kind}.`);
  }
}

function objectType({ properties, additionalProperties }: Schema, namespace: string): string {
  if (properties !== undefined) throw new TypeError('An object of a body must have a name.');
  const values = typeof additionalProperties === 'object' ? additionalProperties : null;
  return `dict[str, ${values === null ? 'Any' : typeOf(values, namespace)}]`;
}

function enumType(values: readonly unknown[]): string {
  const known = values.filter((value) => value !== null).map(literal);
  return union([`Literal[${known.join(', ')}]`, ...(values.includes(null) ? ['None'] : [])]);
}

function union(types: readonly string[]): string {
  return types.length === 0 ? 'Any' : [...new Set(types)].join(' | ');
}

const HEAD = `"""Generated from the documents of the API. Do not edit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

`;

/** A module with a type for each schema. */
export function typesModule(schemas: Schemas): string {
  const types = Object.entries(schemas).map(([name, schema]) => namedType(name, schema));
  return `${HEAD}\n${types.join('\n\n\n')}\n`;
}

function namedType(name: string, schema: Schema): string {
  if (schema.properties === undefined) return `${name}: TypeAlias = ${quoted(typeOf(schema))}`;
  const { properties, required = [], description } = schema;
  const fields = Object.entries(properties).map(([field, one]) => ({
    field,
    type: required.includes(field) ? typeOf(one) : `NotRequired[${typeOf(one)}]`,
    description: one.description,
  }));
  // Names such as webhook-id cannot be written as attributes.
  if (!fields.every(({ field }) => isName(field))) {
    const entries = fields.map(({ field, type }) => `    ${literal(field)}: ${quoted(type)},`);
    return `${name} = TypedDict(\n    ${literal(name)},\n    {\n${entries.map((line) => `    ${line}`).join('\n')}\n    },\n)`;
  }
  const lines = fields.flatMap(({ field, type, description: meaning }) => [
    `    ${field}: ${type}`,
    ...(meaning === undefined ? [] : [docstring(meaning, '    ')]),
  ]);
  const about = description === undefined ? [] : [`${docstring(description, '    ')}\n`];
  const body = [...about, ...lines];
  return `class ${name}(TypedDict):\n${body.length === 0 ? '    pass' : body.join('\n')}`;
}

/** Types that come later in the module are named by their text. */
function quoted(type: string): string {
  return JSON.stringify(type);
}
