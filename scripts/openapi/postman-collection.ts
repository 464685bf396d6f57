import { bodyOf, type DocumentedOperation, type ExampleParameter } from './example-document.ts';

/** The parts of an OpenAPI document that a collection of requests is made of. */
export interface CollectedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, CollectedOperation>>>>;
}

interface CollectedOperation extends DocumentedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly (ExampleParameter & { readonly description?: string })[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** One request of the format that Postman, Bruno, Insomnia and Hoppscotch read. */
export interface CollectedRequest {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly auth?: { readonly type: 'noauth' };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: CollectedUrl;
    readonly body?: { readonly mode: 'raw'; readonly raw: string };
  };
}

interface CollectedUrl {
  readonly raw: string;
  readonly host: readonly ['{{baseUrl}}'];
  readonly path: readonly string[];
  readonly query: readonly Variable[];
  readonly variable: readonly Variable[];
}

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly description: string;
  readonly disabled?: true;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * All operations of the document that are asked over HTTP as a Postman collection (v2.1), in a folder
 * for each tag. Requests have the documented examples; optional parameters are listed and off. The
 * base URL and the key are variables, the key without a value. WebSockets are left out: the format
 * has none.
 */
export function toPostmanCollection({ info, tags, paths }: CollectedDocument) {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => responses['101'] === undefined)
      .map(([method, operation]) => ({
        tag: operation.tags[0],
        item: toRequest(method.toUpperCase(), path, operation),
      })),
  );
  return {
    info: {
      name: `${info.title} ${info.version}`,
      description: info.description,
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key' },
        { key: 'value', value: '{{apiKey}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'apiKey', value: '' },
    ],
    item: tags.flatMap(({ name, description }) => {
      const item = requests.filter(({ tag }) => tag === name).map((request) => request.item);
      return item.length === 0 ? [] : [{ name, description, item }];
    }),
  };
}

function toRequest(method: string, path: string, operation: CollectedOperation): CollectedRequest {
  const { summary, description = '', parameters = [], security } = operation;
  const body = bodyOf(operation);
  const isOpen = security?.length === 0;
  return {
    name: summary,
    request: {
      method,
      description,
      ...(isOpen ? { auth: { type: 'noauth' as const } } : {}),
      header: body === undefined ? [] : [{ key: 'content-type', value: 'application/json' }],
      url: toUrl(path, parameters),
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw' as const, raw: JSON.stringify(body, null, 2) } }),
    },
  };
}

function toUrl(path: string, parameters: CollectedOperation['parameters'] = []): CollectedUrl {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/\{(\w+)\}/, ':$1'));
  const query = parameters.filter((parameter) => parameter.in === 'query').map(toVariable);
  const sent = query.filter(({ disabled }) => disabled !== true);
  const text = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${text === '' ? '' : `?${text}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query,
    variable: parameters.filter((parameter) => parameter.in === 'path').map(toVariable),
  };
}

/** As requestUrl chooses: of several parameters of which one is required, that of a token is sent. */
function toVariable(parameter: NonNullable<CollectedOperation['parameters']>[number]): Variable {
  const { name, required, example, schema, description = '' } = parameter;
  const { examples = [], enum: choices = [], minimum } = schema;
  const value = String(example ?? examples[0] ?? choices[0] ?? minimum ?? '');
  const isSent = required === true || name === 'token_address';
  return { key: name, value, description, ...(isSent ? {} : { disabled: true as const }) };
}
