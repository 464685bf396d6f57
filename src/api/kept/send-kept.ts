import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { compileResponse } from '../schemas/compile-response.ts';

/**
 * A function that sends an answer made of rows in memory, and keeps it for equal requests until the
 * next publication. Call it in the turn of the event loop in which the rows were read.
 */
export function keptSender<Schema extends TSchema>(schema: Schema) {
  const serialise = compileResponse(schema);
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    body: Static<Schema>,
    timeMs: number | null,
  ): void => {
    const text = serialise(body);
    reply.type('application/json; charset=utf-8');
    request.server.keptAnswers.keep(request, reply, text, timeMs);
    void reply.send(text);
  };
}
