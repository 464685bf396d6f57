import type { FastifyInstance } from 'fastify';

/** What a proxy leaves of a request whose body it dropped: the header that announced it. */
export function allowEmptyBody(app: Pick<FastifyInstance, JsonParsers>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

type JsonParsers = 'getDefaultJsonParser' | 'removeContentTypeParser' | 'addContentTypeParser';
