import type { FastifySchema } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';

/** The announcement that an endpoint or a parameter will go. */
export interface Deprecation {
  /** Day from which on nobody should begin to use it, such as `2026-12-01`. */
  readonly since: string;
  /** Day until which it works unchanged, at least six months later. */
  readonly until: string;
  /** What takes its place: the end of a sentence that begins with "Use". */
  readonly use: string;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Marks the endpoint as deprecated, in the OpenAPI document and in the headers of its answers. */
    deprecation?: Deprecation;
  }
}

/** A query parameter that will go. Answers to requests that give it say so in their headers. */
export function Deprecated<Schema extends TSchema>(schema: Schema, deprecation: Deprecation) {
  const { description } = schema as { readonly description?: string };
  return Type.Unsafe<Static<Schema>>({
    ...schema,
    description: deprecatedText(description ?? '', deprecation),
    [DEPRECATION_KEYWORD]: deprecation,
  });
}

/** The keyword of the schema of a parameter. */
export const DEPRECATION_KEYWORD = 'x-deprecation';

/** A description with its deprecation, for readers of the OpenAPI document. */
export function deprecatedText(description: string, { since, until, use }: Deprecation): string {
  return `${description} Deprecated since ${since}, and answered until ${until}. Use ${use}.`.trim();
}

type Headers = Readonly<Record<string, string>>;

/** The headers that announce a deprecation to a request with these query parameters. */
export type DeprecationHeaders = (query: object) => Headers | null;

/**
 * The headers of a route by its schema; null for a route of which nothing is deprecated. Throws
 * TypeError at server startup for an announcement that breaks the promise of docs/api-stability.md.
 */
export function deprecationHeaders(schema: FastifySchema | undefined): DeprecationHeaders | null {
  const ofRoute = schema?.deprecation ?? null;
  const ofParameters = Object.entries(propertiesOf(schema?.querystring)).flatMap(
    ([name, { [DEPRECATION_KEYWORD]: deprecation }]) =>
      deprecation === undefined ? [] : [{ name, deprecation }],
  );
  if (ofRoute === null && ofParameters.length === 0) return null;
  const all = ofParameters.map(({ deprecation }) => deprecation);
  for (const each of ofRoute === null ? all : [ofRoute, ...all]) assertPromised(each);
  return (query) => {
    const given = ofParameters.filter(({ name }) => Object.hasOwn(query, name));
    const found = given.map(({ deprecation }) => deprecation);
    return headersOf(ofRoute === null ? found : [ofRoute, ...found]);
  };
}

type Properties = Readonly<Record<string, { readonly [DEPRECATION_KEYWORD]?: Deprecation }>>;

function propertiesOf(schema: unknown): Properties {
  return (schema as { readonly properties?: Properties } | undefined)?.properties ?? {};
}

/** One pair of dates for all of them: the first since, the first until. */
function headersOf(all: readonly Deprecation[]): Headers | null {
  if (all.length === 0) return null;
  const sinceMs = Math.min(...all.map(({ since }) => Date.parse(since)));
  const untilMs = Math.min(...all.map(({ until }) => Date.parse(until)));
  return {
    // RFC 9745, RFC 8594, RFC 8288.
    deprecation: `@${sinceMs / 1_000}`,
    sunset: new Date(untilMs).toUTCString(),
    link: '</docs/api-changes.md>; rel="deprecation"; type="text/markdown"',
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTHS_MIN = 6;

function assertPromised({ since, until }: Deprecation): void {
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + MONTHS_MIN);
  const isPromised = DAY.test(since) && DAY.test(until) && Date.parse(until) >= +earliest;
  if (isPromised) return;
  throw new TypeError(
    `What is deprecated since ${since} must be answered for six months, not until ${until}.`,
  );
}
