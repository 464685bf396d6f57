/** POST /v1/stream/ticket: a one-use ticket for a WebSocket (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import { keyOf } from '../../http/admission.ts';
import { presentedKeyOf } from '../../http/presented-key.ts';
import { instant, text } from '../../present/wire-kinds.ts';
import { wireRecord } from '../../present/wire-record.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { unavailable, writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';

const TOO_MANY = 'Too many tickets are open: try again in a minute.';

const Body = wireRecord<{ readonly secret: string; readonly expiresAtMs: number }>()(
  {
    ticket: [text, 'secret', 'Query parameter ticket of a WebSocket. It can be used once.'],
    expires_at: [instant, 'expiresAtMs', 'A minute after it was issued.'],
  },
  {
    description: 'The ticket.',
    examples: [
      { ticket: 'iC0d0Vb3mJm3V8o0b8mJYy2W0yqkqf7mR1uQ5m3n9aE', expires_at: EXAMPLE.instant },
    ],
  },
);

const schema = {
  operationId: 'createStreamTicket',
  summary: 'Create a ticket for a WebSocket',
  description:
    'Returns a ticket that opens one WebSocket in the place of the key, for pages: browsers cannot ' +
    'set the headers of a WebSocket, and an address with a key is easily stored somewhere. The ' +
    'stream ends with the key, and with the session that the ticket was created by.',
  tags: ['stream'],
  response: {
    201: Body.schema,
    ...writeErrors('read', { 400: 'since is not a parameter of this endpoint.' }),
    ...unavailable(TOO_MANY),
  },
};

export const streamTicketRoute = (): FastifyPluginAsyncTypebox => async (app) => {
  allowEmptyBody(app);
  app.post('/v1/stream/ticket', { schema }, async (request, reply) => {
    const { accountId } = keyOf(request);
    const ticket = app.browser.tickets.issue(accountId, presentedKeyOf(request));
    if (ticket === null) throw new ApiError(503, TOO_MANY);
    return reply.code(201).send(Body.present(ticket));
  });
};
