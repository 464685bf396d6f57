import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { SESSION_COOKIE } from '../http/sessions.ts';
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
        { name: 'triggers', description: 'Conditions on a pool and their firings' },
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
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? nameSchemas(document.openapiObject as NameableDocument)
        : document.swaggerObject,
  };
}

const DESCRIPTION = `Token intelligence for Solana.

Decimal numbers are JSON strings in plain notation. Unknown values are \`null\`. Times are UTC
with milliseconds. Every error has the body \`{"code", "message"}\`. Unknown and repeated query
parameters are refused with 400, except unknown ones that begin with \`x-\`, which are ignored. Rate
limits apply per key: see the \`RateLimit-*\` headers.`;
