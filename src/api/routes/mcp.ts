/** POST /mcp: the Model Context Protocol for agents (CONTRACT §4, decision 0085). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { presentedKeyOf } from '../http/presented-key.ts';
import { isForLoopback, isSameOrigin } from '../http/request-origin.ts';
import type { AskApi } from '../mcp/answer/api-answer.ts';
import { answerMessage } from '../mcp/answer-message.ts';

/** Its own protocol describes it, so the OpenAPI document does not. */
const schema = { hide: true };

export const mcpRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The protocol has its own errors for text that is no JSON.
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
      done(null, body),
    );
    app.post('/mcp', { schema }, async (request, reply) => {
      assertOrigin(app, request);
      const context = {
        ask: askedAs(app, request),
        nowMs: () => deps.nowMs(),
        version: app.serviceVersion,
      };
      const text = typeof request.body === 'string' ? request.body : '';
      const answer = await answerMessage(text, request.headers, context);
      if (answer.fault !== null) {
        request.log.error({ requestId: request.id, err: answer.fault }, 'request failed');
      }
      reply.code(answer.status);
      if (answer.text === null) return reply.send();
      return reply.type('application/json; charset=utf-8').send(answer.text);
    });
  };

const FOREIGN_PAGE = 'Pages of this origin may not use /mcp: --cors-origins names those that may.';

/**
 * Refuses pages of other origins, and pages that reached this machine by a name of their own (DNS
 * rebinding): their Origin is that of the Host, too.
 */
function assertOrigin({ browser }: FastifyInstance, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined || browser.origins.isKnown(origin)) return;
  if (isSameOrigin(request) && isForLoopback(request)) return;
  throw new ApiError(403, FOREIGN_PAGE);
}

/**
 * Asks the routes of this server with the key of the request: its scopes and limits hold, and each
 * answer that a tool reads counts as a request.
 */
function askedAs(app: FastifyInstance, request: FastifyRequest): AskApi {
  const headers = {
    'x-api-key': presentedKeyOf(request).text,
    'x-request-id': request.id,
  };
  return async (path) => {
    const answer = await app.inject({ method: 'GET', url: path, headers });
    return {
      status: answer.statusCode,
      text: answer.body,
      header: (name) => {
        const value = answer.headers[name];
        return value === undefined ? null : String(value);
      },
    };
  };
}
