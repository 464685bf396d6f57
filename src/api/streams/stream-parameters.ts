import { Type } from 'typebox';
import { COMMON_ERRORS, errorBodies, unavailable } from '../schemas/error-responses.ts';
import { IntegerParameter, TextParameter } from '../schemas/parameters.ts';
import { NOT_A_WEB_SOCKET } from './web-sockets.ts';

/** Query parameters of all WebSockets. */
export const STREAM_QUERY = {
  since: Type.Optional(
    IntegerParameter({
      description:
        'seq of the last message received. The stream resumes with the entries after it. ' +
        'Defaults to new entries only.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  api_key: Type.Optional(
    TextParameter({
      description: 'API key, for clients that cannot set the X-API-Key header.',
      maxLength: 200,
    }),
  ),
  ticket: Type.Optional(
    TextParameter({
      description: 'One-use ticket of POST /v1/stream/ticket, instead of a key.',
      maxLength: 100,
    }),
  ),
};

/** Responses of all WebSockets. */
export const STREAM_ANSWERS = {
  101: Type.Null({ description: 'WebSocket connection. Messages are JSON objects with a seq.' }),
  200: Type.Null({
    description:
      'The same over HTTP/2 (RFC 8441), where a proxy in front of the service accepts WebSockets over it.',
  }),
  ...COMMON_ERRORS,
  ...errorBodies({ 400: NOT_A_WEB_SOCKET }),
  ...unavailable('Too many open streams: try again later.'),
};
