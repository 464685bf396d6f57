import { randomBytes } from 'node:crypto';

/** The ID of a request that gives this one, or none that is used. */
export type RequestIdOf = (given: string | readonly string[] | undefined) => string;

const ACCEPTED = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Request IDs: the client's `x-request-id` if it is short and plain, otherwise an ID unique across
 * requests and restarts.
 */
export function createRequestId(): RequestIdOf {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && ACCEPTED.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
