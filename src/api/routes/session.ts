/**
 * POST and DELETE /v1/session: a cookie in the place of an API key (CONTRACT §4). POST
 * /v1/session/simulated: the same without a key, for pages on the machine of a simulated market.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import type { Scope } from '../api-keys.ts';
import type { ApiDeps } from '../deps.ts';
import { isFromThisMachine, keyOf } from '../http/admission.ts';
import { presentedKeyOf } from '../http/presented-key.ts';
import { isForLoopback, isSameOrigin } from '../http/request-origin.ts';
import { endedSessionCookie, sessionCookie } from '../http/sessions.ts';
import { instant, list, text, word } from '../present/wire-kinds.ts';
import { wireRecord } from '../present/wire-record.ts';
import { allowEmptyBody } from '../requests/allow-empty-body.ts';
import { errorBody, MALFORMED, sessionErrors, unavailable } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';

const SCOPES = ['read', 'triggers:write', 'review:write', 'admin'] as const satisfies Scope[];
const TOO_MANY = 'Too many sessions are open: try again later.';
const NEEDS_KEY = 'A session begins with a key in the X-API-Key header.';
const NOT_OPEN =
  'A session begins without a key only for a page that the service of a simulated market serves to ' +
  'a browser on the same machine.';
const NO_SESSION = 'This request has no session.';

interface Begun {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
}

const Body = wireRecord<Begun>()(
  {
    account: [text, 'accountId'],
    scopes: [list(word(SCOPES)), 'scopes', 'Those of the key.'],
    expires_at: [instant, 'expiresAtMs', 'Twelve hours after the beginning.'],
  },
  {
    description: 'The session. Its cookie is in the Set-Cookie header.',
    examples: [{ account: 'default', scopes: ['read'], expires_at: EXAMPLE.instant }],
  },
);

const beginSchema = {
  operationId: 'beginSession',
  summary: 'Begin a session',
  description:
    'Sets a cookie that browsers send in the place of the key, for twelve hours or as long as the ' +
    'key is valid. Pages cannot read it. Requests that change something, and WebSockets, are ' +
    'accepted with it only from pages of this server. A restart of the service ends all sessions.',
  tags: ['operations'],
  response: {
    201: Body.schema,
    ...sessionErrors({ 400: NEEDS_KEY }),
    ...unavailable(TOO_MANY),
  },
};

const endSchema = {
  operationId: 'endSession',
  summary: 'End the session',
  description: 'Ends the session of the cookie, and the streams that it opened.',
  tags: ['operations'],
  response: {
    204: Type.Null({ description: 'The session has ended.' }),
    ...sessionErrors({ 400: 'since is not a parameter of this endpoint.', 404: NO_SESSION }),
  },
};

/** Those of requests with a body, which do not depend on a key. */
const { 413: tooLarge, 415: notJson, 500: internal } = sessionErrors({});

const simulatedSchema = {
  operationId: 'beginSimulatedSession',
  summary: 'Begin a session without a key',
  description:
    'Like POST /v1/session with the key that was made for a simulated market at its start. Only ' +
    'for pages of this server in a browser on the same machine, addressed by a name of the ' +
    'loopback interface and without a proxy in between. Refused on any real chain, and if the ' +
    'key was configured.',
  tags: ['operations'],
  security: [],
  response: {
    201: Body.schema,
    ...MALFORMED,
    403: errorBody(403, 'The conditions are not met.', NOT_OPEN),
    413: tooLarge,
    415: notJson,
    500: internal,
    ...unavailable(TOO_MANY),
  },
};

export const simulatedSessionRoute =
  ({ keys }: Pick<ApiDeps, 'keys'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const { sessions, openKey } = app.browser;
    const options = { schema: simulatedSchema, config: { access: 'public' } } as const;
    app.post('/v1/session/simulated', options, async (request, reply) => {
      const key = openKey === null || !isOfLocalPage(request) ? null : keys.authenticate(openKey);
      if (openKey === null || key === null) throw new ApiError(403, NOT_OPEN);
      const begun = sessions.begin(key.accountId, openKey);
      if (begun === null) throw new ApiError(503, TOO_MANY);
      reply.header('set-cookie', sessionCookie(begun.secret, false));
      const { expiresAtMs } = begun;
      return reply
        .code(201)
        .send(Body.present({ accountId: key.accountId, scopes: key.scopes, expiresAtMs }));
    });
  };

/**
 * Whether a page of this server, in a browser on this machine, sent the request. The Host must name
 * the loopback interface: otherwise a foreign page whose name resolves to this machine (DNS
 * rebinding) would be a page of this server.
 */
function isOfLocalPage(request: FastifyRequest): boolean {
  return isFromThisMachine(request) && isForLoopback(request) && isSameOrigin(request);
}

export const sessionRoutes = (): FastifyPluginAsyncTypebox => async (app) => {
  allowEmptyBody(app);
  const { sessions } = app.browser;
  const config = { access: 'key' } as const;
  app.post('/v1/session', { schema: beginSchema, config }, async (request, reply) => {
    const { accountId, scopes } = keyOf(request);
    const presented = presentedKeyOf(request);
    if (presented.session !== null) throw new ApiError(400, NEEDS_KEY);
    const begun = sessions.begin(accountId, presented.text);
    if (begun === null) throw new ApiError(503, TOO_MANY);
    reply.header('set-cookie', sessionCookie(begun.secret, !isForLoopback(request)));
    const { expiresAtMs } = begun;
    return reply.code(201).send(Body.present({ accountId, scopes, expiresAtMs }));
  });
  app.delete('/v1/session', { schema: endSchema, config }, async (request, reply) => {
    const { session } = presentedKeyOf(request);
    if (session === null) throw new ApiError(404, NO_SESSION);
    sessions.end(session);
    reply.header('set-cookie', endedSessionCookie(!isForLoopback(request)));
    return reply.code(204).send(null);
  });
};
