import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTED = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Names each request: the client's own `x-request-id` when it is short and plain, else a name that
 * no other request and no other start of the process has.
 */
export function createRequestId(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && ACCEPTED.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
