import { readFileSync } from 'node:fs';

/** A request as a client of the API takes it: an operation of the document and its parameters. */
export interface DocumentedRead {
  /** Path of the document, with its parameters in braces. */
  readonly template: string;
  readonly operationId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

interface DocumentedPath {
  readonly get?: { readonly operationId: string };
}

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, DocumentedPath>>;
};

/** Paths without parameters first: `/v1/pools/ws` is not the pool `ws`. */
const ROUTES = Object.entries(paths)
  .flatMap(([template, { get }]) =>
    get === undefined
      ? []
      : [
          {
            template,
            ...get,
            pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
          },
        ],
  )
  .sort((one, other) => one.template.split('{').length - other.template.split('{').length);

/** The operation that an address is of. Throws if the document has none. */
export function documentedRead(url: string): DocumentedRead {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  for (const { template, operationId, pattern } of ROUTES) {
    const found = pattern.exec(pathname);
    if (found === null) continue;
    const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
    const path = Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]),
    );
    return { template, operationId, path, query: Object.fromEntries(searchParams) };
  }
  throw new Error(`the document has no operation for ${url}`);
}
