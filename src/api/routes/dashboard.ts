/** GET / and the other paths of the dashboard, and its files. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStaticFile } from '../http/static-file.ts';
import { HEAD_TOO_LARGE } from '../schemas/error-responses.ts';

/** The page runs and loads only files of this server, and nothing inline. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

const NOT_BUILT = 'The dashboard is not built: run "npm run web:build" and start again.\n';

const schema = {
  operationId: 'getDashboard',
  summary: 'Dashboard',
  description: 'Returns the page of the dashboard, if it is built.',
  tags: ['operations'],
  security: [],
  response: {
    200: {
      description: 'The page.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    ...HEAD_TOO_LARGE,
  },
};

const config = { access: 'public' } as const;

/** The root is described; the other paths are those of the page's views and of its files. */
export const dashboardRoutes = (): FastifyPluginAsyncTypebox => async (app) => {
  const { dashboard } = app.browser;
  const answerPage = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', POLICY);
    if (dashboard === null) return reply.type('text/plain; charset=utf-8').send(NOT_BUILT);
    return sendStaticFile(dashboard.page, request, reply);
  };
  // Described after the hook that refuses unknown parameters: views have their own.
  app.addHook('onRoute', (route) => {
    route.schema = route.url === '/' ? schema : { hide: true };
  });
  app.get('/', { config }, answerPage);
  if (dashboard === null) return;
  for (const path of dashboard.paths) {
    if (path !== '/') app.get(path, { config }, answerPage);
  }
  for (const [path, file] of dashboard.files) {
    app.get(path, { config }, (request, reply) => sendStaticFile(file, request, reply));
  }
};
