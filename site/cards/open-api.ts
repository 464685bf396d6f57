/** The parts of the OpenAPI document that its pages show. */
export interface OpenApi {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body & { readonly description: string }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

export interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Name of the schema that a reference leads to; null for a schema of its own. */
export function referredName({ $ref }: Schema): string | null {
  return $ref === undefined ? null : ($ref.split('/').at(-1) ?? null);
}

/** A schema and all schemas directly in it, without those that references lead to. */
export function schemasIn(schema: Schema): readonly Schema[] {
  const { items, anyOf = [], allOf = [], oneOf = [], properties = {} } = schema;
  const parts = [...anyOf, ...allOf, ...oneOf, ...Object.values(properties)];
  if (items !== undefined) parts.push(items);
  return [schema, ...parts.flatMap(schemasIn)];
}
