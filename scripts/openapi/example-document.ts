/** The parts of an OpenAPI document from which requests are made, and their examples. */
export interface ExampleParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  example?: unknown;
  readonly schema: {
    readonly examples?: readonly unknown[];
    readonly enum?: readonly unknown[];
    readonly minimum?: number;
  };
}

export interface ExampleMedia {
  example?: unknown;
  readonly schema: { examples?: readonly unknown[] };
}

interface ExampleBody {
  readonly content?: Readonly<Record<string, ExampleMedia>>;
}

export interface DocumentedOperation {
  readonly parameters?: readonly ExampleParameter[];
  readonly requestBody?: ExampleBody;
  readonly responses: Readonly<Record<string, ExampleBody>>;
}

export interface ExampleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/**
 * The request of a path with the documented examples of its required parameters and its token: of
 * several parameters of which one is required, that of a token has an example.
 */
export function requestUrl(path: string, parameters: readonly ExampleParameter[] = []): string {
  let url = path;
  const query = new URLSearchParams();
  for (const { name, in: place, required, example, schema } of parameters) {
    if (required !== true && name !== 'token_address') continue;
    const { examples = [], enum: choices = [], minimum } = schema;
    const value = String(example ?? examples[0] ?? choices[0] ?? minimum);
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

/** The documented example of a JSON body; undefined for a request without one. */
export function bodyOf({ requestBody }: DocumentedOperation): unknown {
  return requestBody?.content?.['application/json']?.example;
}
