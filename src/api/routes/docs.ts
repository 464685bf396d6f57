/** GET /docs/ and below: the documentation, as HTML and as Markdown; GET /llms.txt: its list. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { sendStaticFile } from '../http/static-file.ts';
import { HEAD_TOO_LARGE } from '../schemas/error-responses.ts';

/** Pages load files of this server only, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

const NOT_BUILT =
  'The documentation is not built: run "npm run site:build" and start again. The API reference is at /docs/api/.\n';
const NO_SUCH_PAGE = 'The documentation has no such page: /llms.txt lists all.';

const config = { access: 'public' } as const;

/** `/docs` and `/llms.txt` are described; the others are the pages and their files. */
export const docsRoutes = (): FastifyPluginAsyncTypebox => async (app) => {
  const { docSite } = app.browser;
  // Described after the hook that refuses unknown parameters: links to pages may have any.
  app.addHook('onRoute', (route) => {
    route.schema = SCHEMAS[route.url] ?? { hide: true };
  });
  app.get('/docs', { config }, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', { config }, answerPage);
  app.get('/docs/*', { config }, answerPage);
  app.get('/llms.txt', { config }, (request, reply) =>
    docSite === null ? sendNotBuilt(reply) : sendStaticFile(docSite.list, request, reply),
  );
};

function answerPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { docSite } = request.server.browser;
  if (docSite === null) return sendNotBuilt(reply);
  const [path = ''] = request.url.split('?', 1);
  const file = docSite.files.get(path);
  if (file === undefined) throw new ApiError(404, NO_SUCH_PAGE);
  reply.header('content-security-policy', POLICY);
  return sendStaticFile(file, request, reply);
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(NOT_BUILT);
}

const SCHEMAS: Readonly<Record<string, FastifySchema>> = {
  '/docs': {
    operationId: 'getDocumentation',
    summary: 'Documentation',
    description:
      'Redirects to the documentation of this version. Each of its pages is also Markdown, with .md at the end of its path.',
    tags: ['operations'],
    security: [],
    response: {
      301: { description: 'To /docs/.', type: 'null' },
      200: toTextResponse(
        'The page, for clients that follow redirects by themselves.',
        'text/html',
      ),
      ...HEAD_TOO_LARGE,
    },
  },
  '/llms.txt': {
    operationId: 'listDocumentation',
    summary: 'List of the documentation',
    description:
      'Returns the pages of the documentation with a sentence about each, as Markdown in the form of llmstxt.org.',
    tags: ['operations'],
    security: [],
    response: { 200: toTextResponse('The list.', 'text/plain'), ...HEAD_TOO_LARGE },
  },
};

function toTextResponse(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: { type: 'string' } } } };
}
