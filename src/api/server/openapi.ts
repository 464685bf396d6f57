import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

/** Settings of the OpenAPI 3.1 document; everything else in it comes from the routes' schemas. */
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
        { name: 'tokens', description: 'What is known of a mint' },
        { name: 'indicators', description: 'Figures of one pool' },
        { name: 'market', description: 'Trades of a token' },
        { name: 'triggers', description: 'Conditions on a pool, and when they became true' },
        { name: 'webhooks', description: 'Events sent to URLs of an account, signed and retried' },
        { name: 'fraud', description: 'Patterns of fraud, their evidence, and reviews' },
        { name: 'socials', description: 'What is posted about a token' },
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

Decimal numbers are JSON strings in plain notation. Unknown is \`null\`, never a made-up zero. Times are
UTC with milliseconds. Every error is \`{"code", "message"}\`. Unknown query parameters are ignored;
known ones given twice are refused. Rates are limited per key: see the \`RateLimit-*\` headers.`;
