import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The ID of a request. */
export type RequestIdOf = (request: Pick<IncomingMessage, 'headers'>) => string;

const ACCEPTED = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Request IDs: the client's `x-request-id` if it is short and plain, otherwise an ID unique across
 * requests and restarts.
 */
export function createRequestId(): RequestIdOf {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && ACCEPTED.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
