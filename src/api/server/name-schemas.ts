/** The parts of a JSON Schema that matter here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly schema?: Schema;
}

interface Body {
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

/** The part of an OpenAPI document that has schemas of bodies. */
export interface NameableDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** A document whose schemas have names. */
export interface NamedDocument extends NameableDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The same document with every object schema of a body under a name in `components/schemas`, so that
 * generated clients have named types. Equal schemas share a name, whatever their description. A name
 * is the schema's title; else that of the operation without its verb for a whole body, and for a part
 * of it the name of the whole and of the property.
 */
export function nameSchemas<Document extends NameableDocument>(
  document: Document,
): Document & NamedDocument {
  const names = new SchemaNames();
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => named(operation, names)),
  );
  const schemas = Object.fromEntries(names.schemas);
  return { ...document, paths, components: { ...document.components, schemas } };
}

function named(operation: Operation, names: SchemaNames): Operation {
  const { operationId, requestBody, responses } = operation;
  const whole = pascalCase(operationId.replace(VERBS, ''));
  const fallback = pascalCase(operationId);
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : { requestBody: namedBody(requestBody, names, [`${fallback}Request`]) }),
    responses: mapEntries(responses, (status, body) => {
      const own = Number(status) >= 400 ? ['ErrorBody'] : [whole, `${fallback}Response`];
      return namedBody(body, names, own);
    }),
  };
}

/** What an operation does; what it answers is the rest of its name. */
const VERBS = /^(get|list|add|update|remove|check|rotate|enable|test|review|import)(?=[A-Z])/;

function namedBody(body: Body, names: SchemaNames, wanted: readonly string[]): Body {
  if (body.content === undefined) return body;
  return {
    ...body,
    content: mapValues(body.content, (content) =>
      content.schema === undefined
        ? content
        : { ...content, schema: names.refer(content.schema, wanted) },
    ),
  };
}

/** Names and schemas of a document, to be put into its `components/schemas`. */
export class SchemaNames {
  readonly schemas = new Map<string, Schema>();
  private readonly nameOf = new Map<string, string>();

  /** The schema with each object in it replaced by a reference. `wanted`: names, best first. */
  refer(schema: Schema, wanted: readonly string[]): Schema {
    const [own = ''] = wanted;
    if (schema.items !== undefined) {
      return { ...schema, items: this.refer(schema.items, wanted.map(singular)) };
    }
    if (schema.anyOf !== undefined) {
      const parts = schema.anyOf.map((part) => this.refer(part, [`${own}${kindOf(part)}`]));
      return { ...schema, anyOf: parts };
    }
    if (isSchema(schema.additionalProperties)) {
      const values = wanted.map((name) => `${name}Value`);
      return { ...schema, additionalProperties: this.refer(schema.additionalProperties, values) };
    }
    if (schema.properties === undefined) return schema;
    const { description, examples, ...rest } = schema;
    const isNullable = Array.isArray(schema.type);
    const properties = mapEntries(schema.properties, (property, part) =>
      this.refer(part, [`${schema.title ?? own}${pascalCase(property)}`]),
    );
    const shape = { ...rest, properties, ...(isNullable ? { type: 'object' } : {}) };
    const reference = { $ref: `#/components/schemas/${this.take(shape, wanted)}` };
    const about = {
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
    };
    return isNullable
      ? { anyOf: [reference, { type: 'null' }], ...about }
      : { ...reference, ...about };
  }

  private take(shape: Schema, wanted: readonly string[]): string {
    const text = JSON.stringify(shape);
    const known = this.nameOf.get(text);
    if (known !== undefined) return known;
    const title = shape.title === undefined ? [] : [shape.title];
    const free = [...title, ...wanted].find((name) => !this.schemas.has(name));
    const name = free ?? this.numbered(wanted.at(-1) ?? 'Schema');
    this.nameOf.set(text, name);
    this.schemas.set(name, shape);
    return name;
  }

  private numbered(name: string): string {
    let number = 2;
    while (this.schemas.has(`${name}${number}`)) number++;
    return `${name}${number}`;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

/** The constant by which a part of a union is told from the others; empty without one. */
function kindOf({ properties = {} }: Schema): string {
  const { const: only, enum: words } = properties.type ?? properties.kind ?? {};
  const constant = Array.isArray(words) && words.length === 1 ? words[0] : only;
  return typeof constant === 'string' ? pascalCase(constant) : '';
}

function pascalCase(name: string): string {
  return name.replace(/(^|_)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return mapEntries(values, (_, value) => map(value));
}

function mapEntries<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (name: string, value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(name, value)]),
  );
}
