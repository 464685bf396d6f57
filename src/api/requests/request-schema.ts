import type { TRefinement } from 'typebox';

/** A JSON body, or the texts of a path or a query. */
export type RequestPart = 'body' | 'path' | 'query';

/** The part that Fastify calls `httpPart`. No route has a schema for headers. */
export function partOf(httpPart: string | undefined): RequestPart {
  if (httpPart === 'body') return 'body';
  return httpPart === 'querystring' ? 'query' : 'path';
}

/** The keywords of the schemas of schemas/parameters.ts and the request bodies. */
export interface RequestSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: RequestSchema;
  readonly properties?: RequestFields;
  readonly required?: readonly string[];
  /** Names of fields of which exactly one is given. */
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly default?: unknown;
  readonly format?: string;
  /** Status of the response when a value of the right type is invalid. */
  readonly 'x-invalid-status'?: 400 | 422;
  readonly '~refine'?: readonly TRefinement[];
}

export type RequestFields = Readonly<Record<string, RequestSchema>>;

export type RequestValues = Record<string, unknown>;

export function isObject(value: unknown): value is RequestValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has a type of the schema. */
export function isOfType({ type = [] }: RequestSchema, value: unknown): boolean {
  return [type].flat().some((name) => IS_OF_TYPE[name]?.(value) ?? false);
}

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
};
