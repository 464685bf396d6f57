import { Type } from 'typebox';
import { badRequest, COMMON_ERRORS, unavailable } from '../schemas/error-responses.ts';
import { IntegerParameter, TextParameter } from '../schemas/parameters.ts';
import { NOT_A_WEB_SOCKET } from './web-sockets.ts';

/** Query parameters of every WebSocket. */
export const STREAM_QUERY = {
  since: Type.Optional(
    IntegerParameter({
      description: 'seq of the last message known: what came after it comes first.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  api_key: Type.Optional(
    TextParameter({
      description: 'The API key, for clients that cannot set the header X-API-Key.',
      maxLength: 200,
    }),
  ),
};

/** Answers of every WebSocket. */
export const STREAM_ANSWERS = {
  101: Type.Null({ description: 'A WebSocket: JSON messages, each with its seq.' }),
  ...COMMON_ERRORS,
  ...badRequest(NOT_A_WEB_SOCKET),
  ...unavailable('Too many streams are open: try later.'),
};
