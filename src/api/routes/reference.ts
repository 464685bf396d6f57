/** GET /docs/api/: the interactive reference, served entirely from here (CONTRACT §1). */
import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { HEAD_TOO_LARGE } from '../schemas/error-responses.ts';

const PREFIX = '/docs/api';
const PAGE = `${PREFIX}/`;

/**
 * The page loads its script and the OpenAPI document from this server only; the policy makes
 * browsers enforce this. The reference generates its styles at run time, which requires inline
 * styles.
 */
const DIRECTIVES = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

export const referenceRoutes = (): FastifyPluginAsyncTypebox => async (app) => {
  describeRoutes(app);
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
    crossOriginEmbedderPolicy: false,
  });
  allowInlineScripts(app);
  await app.register(apiReference, {
    routePrefix: PREFIX,
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Mintscope API',
      withDefaultFonts: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
};

/**
 * The plugin hides its routes; these schemas add them to the document, except the page with the slash
 * at its end, which its first path leads to.
 */
function describeRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = SCHEMAS[route.url];
    if (schema === undefined) throw new TypeError(`Undescribed route ${route.url}`);
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...schema, tags: ['operations'], security: [], hide: route.url === PAGE };
  });
}

const REDIRECTED = { description: 'To /docs/api/.', type: 'null' };
const FOLLOWED = toTextResponse(
  'The page, for clients that follow redirects by themselves.',
  'text/html',
);

const SCHEMAS: Readonly<Record<string, FastifySchema>> = {
  [PREFIX]: {
    operationId: 'redirectToReference',
    summary: 'Interactive reference',
    description: 'Redirects to the page of the reference.',
    response: { 301: REDIRECTED, 200: FOLLOWED, ...HEAD_TOO_LARGE },
  },
  [PAGE]: {
    operationId: 'getReference',
    summary: 'Interactive reference',
    response: { 200: toTextResponse('The page.', 'text/html') },
  },
  [`${PREFIX}/js/scalar.js`]: {
    operationId: 'getReferenceScript',
    summary: 'Script of the reference',
    description: 'Returns the script of the reference.',
    response: { 200: toTextResponse('The script.', 'application/javascript'), ...HEAD_TOO_LARGE },
  },
};

function toTextResponse(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: { type: 'string' } } } };
}

/**
 * Allows exactly the inline scripts of the page, by hash, and lets browsers cache the static files.
 */
function allowInlineScripts(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return;
    reply.header('cache-control', 'public, max-age=3600');
    const policy = String(reply.raw.getHeader('content-security-policy'));
    const hashes = hashInlineScripts(String(reply.getHeader('content-type')), payload);
    reply.header(
      'content-security-policy',
      policy.replace("script-src 'self'", ["script-src 'self'", ...hashes].join(' ')),
    );
  });
}

function hashInlineScripts(contentType: string, page: string): string[] {
  if (!contentType.startsWith('text/html')) return [];
  return [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, script = '']) => script)
    .filter((script) => script !== '')
    .map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
