import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { deprecatedText } from '../http/deprecation.ts';
import { SESSION_COOKIE } from '../http/sessions.ts';
import { allowAbsentBodies } from './allow-absent-bodies.ts';
import { markDeprecatedParameters } from './mark-deprecated-parameters.ts';
import { type NameableDocument, nameSchemas } from './name-schemas.ts';

/** Settings of the OpenAPI 3.1 document; everything else comes from the route schemas. */
export function openApiOptions(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mintscope',
        version,
        description: DESCRIPTION,
        contact: { name: 'Mintscope developers' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'tokens', description: 'Token data by mint' },
        { name: 'wallets', description: 'Wallets, their class, skill and positions' },
        { name: 'indicators', description: 'Indicators of a pool' },
        { name: 'market', description: 'Market data of a token' },
        { name: 'signals', description: 'Signals of the models and their outcomes' },
        { name: 'stream', description: 'Changes of selected pools, tokens, wallets and more' },
        { name: 'rules', description: 'Rules of one’s own, judged in the fold, and their hits' },
        {
          name: 'backtests',
          description: 'What rules would have been worth, without looking ahead',
        },
        { name: 'triggers', description: 'Conditions on a pool or token and their firings' },
        { name: 'webhooks', description: 'Signed, retried delivery of events to URLs' },
        { name: 'fraud', description: 'Fraud patterns, their evidence and reviews' },
        { name: 'socials', description: 'Social media posts about a token' },
        { name: 'charts', description: 'Data feed for charts in the UDF protocol' },
        { name: 'exports', description: 'Whole tables as files' },
        { name: 'operations', description: 'Health, metrics and this document' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same key. It is ignored if there is X-API-Key, too.',
          },
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        },
      },
      security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => ({
      schema: withDeprecation(withBody(schema, route.method)),
      url,
    }),
    transformObject: (document) =>
      'openapiObject' in document
        ? nameSchemas(
            allowAbsentBodies(markDeprecatedParameters(document.openapiObject as NameableDocument)),
          )
        : document.swaggerObject,
  };
}

declare module 'fastify' {
  interface FastifySchema {
    /** Schemas by media type of a body that the route reads itself. */
    ownBody?: Readonly<Record<string, TSchema>>;
  }
}

/** The schema with the body that the route reads itself, or a sentence where a POST has none. */
function withBody(schema: FastifySchema, method: RouteOptions['method']): FastifySchema {
  const { ownBody, ...rest } = schema;
  if (ownBody === undefined) {
    const hasNone = rest.body === undefined && [method].flat().includes('POST');
    return hasNone ? { ...rest, description: `${rest.description} ${NO_BODY}` } : rest;
  }
  const content = Object.entries(ownBody).map(([type, one]) => [type, { schema: one }]);
  return { ...rest, body: { content: Object.fromEntries(content) } };
}

/** The schema with its deprecation in the words of OpenAPI. */
function withDeprecation(schema: FastifySchema): FastifySchema {
  const { deprecation, ...rest } = schema;
  if (deprecation === undefined) return rest;
  const description = deprecatedText(rest.description ?? '', deprecation);
  return { ...rest, description, deprecated: true };
}

const NO_BODY = 'The request has no body.';

const DESCRIPTION = `Token intelligence for Solana.

Decimal numbers are JSON strings in plain notation. Unknown values are \`null\`. Times are UTC
with milliseconds. Every error has the body \`{"code", "message"}\`. Unknown and repeated query
parameters are refused with 400, except unknown ones that begin with \`x-\`, which are ignored. Rate
limits apply per key: see the \`RateLimit-*\` headers. Pictures of tokens have a limit of their own.

A request about the chain may name a slot in \`x-min-slot\`: it is answered as of that slot or a later one,
after a wait of up to two seconds if need be, otherwise with 503 and the reached slot in \`x-slot\`.

Every answer names the version of the API in \`x-api-version\`: the version of this document. A client
may name itself in \`x-client-version\`. What is deprecated is answered with the headers
\`Deprecation\` and \`Sunset\`.`;
