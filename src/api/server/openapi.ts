import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

/** Settings of the OpenAPI 3.1 document; everything else comes from the route schemas. */
export function openApiOptions(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mintscope',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'tokens', description: 'Token data by mint' },
        { name: 'indicators', description: 'Indicators of a pool' },
        { name: 'market', description: 'Market data of a token' },
        { name: 'triggers', description: 'Conditions on a pool and their firings' },
        { name: 'webhooks', description: 'Signed, retried delivery of events to URLs' },
        { name: 'fraud', description: 'Fraud patterns, their evidence and reviews' },
        { name: 'socials', description: 'Social media posts about a token' },
        { name: 'operations', description: 'Health, metrics and this document' },
      ],
      components: {
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      },
      security: [{ apiKey: [] }],
    },
  };
}

const DESCRIPTION = `Token intelligence for Solana.

Decimal numbers are JSON strings in plain notation. Unknown values are \`null\`. Times are UTC
with milliseconds. Every error has the body \`{"code", "message"}\`. Unknown query parameters are
ignored; repeated parameters are rejected. Rate limits apply per key: see the \`RateLimit-*\` headers.`;
