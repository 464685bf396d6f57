import type { FastifyInstance } from 'fastify';

/**
 * Accepts an empty JSON body: proxies that drop the body of a request may keep its content-type.
 */
export function allowEmptyBody(app: Pick<FastifyInstance, JsonParsers>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

type JsonParsers = 'getDefaultJsonParser' | 'removeContentTypeParser' | 'addContentTypeParser';
