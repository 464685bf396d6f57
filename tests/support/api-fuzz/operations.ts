/** The operations of an OpenAPI document, reduced to what generated requests need. */

/** The parts of a JSON schema that the document uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Exactly one of these holds. */
  readonly oneOf?: readonly { readonly required?: readonly string[] }[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-list-of'?: readonly string[];
  /** Status of the response to an invalid value. */
  readonly 'x-invalid-status'?: number;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface OperationAnswer {
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly example?: unknown }>
  >;
}

export interface Operation {
  /** For example `GET /v1/tokens`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
  /** Schema of the JSON body; null for a route without one. */
  readonly body: JsonSchema | null;
  readonly answers: Readonly<Record<string, OperationAnswer>>;
  /** The route needs no key. */
  readonly isPublic: boolean;
  /** The scope that a key needs, as its 403 states; null for none. */
  readonly scope: string | null;
}

interface DocumentOperation {
  readonly parameters?: readonly OperationParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, OperationAnswer>>;
  readonly security?: readonly unknown[];
}

export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  const { paths } = resolved(document, document) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
  );
}

const SCHEMAS = '#/components/schemas/';

/** A part of the document with the named schemas in the places that refer to them. */
function resolved(part: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...own } = part as { readonly $ref?: unknown };
  const entries = Object.entries(own).map(([name, one]) => [name, resolved(one, document)]);
  const described = Object.fromEntries(entries);
  if (typeof $ref !== 'string') return described;
  const named = document.components.schemas[$ref.slice(SCHEMAS.length)];
  if (named === undefined) throw new Error(`the document has no ${$ref}`);
  return { ...(resolved(named, document) as object), ...described };
}

function toOperation(path: string, method: string, given: DocumentOperation): Operation {
  const verb = method.toUpperCase() as Operation['method'];
  return {
    name: `${verb} ${path}`,
    method: verb,
    path,
    parameters: given.parameters ?? [],
    body: given.requestBody?.content['application/json']?.schema ?? null,
    answers: given.responses,
    isPublic: given.security?.length === 0,
    scope: scopeOf(given.responses['403']),
  };
}

function scopeOf(refusal: OperationAnswer | undefined): string | null {
  const example = refusal?.content?.['application/json']?.example as
    | { message?: string }
    | undefined;
  return /the scope (\S+)\.$/.exec(example?.message ?? '')?.[1] ?? null;
}
