import type { Operation } from '../api-fuzz/operations.ts';
import { READ_KEY, WRITE_KEY } from '../fake-api-deps.ts';
import { type Recipe, withHeaders, withoutHeaders, withQuery } from './attempt.ts';
import { asIs, elsewhere, isWebSocket, upgraded } from './changes.ts';

/** More than any operation accepts, and valid JSON. */
const LARGE_BODY = JSON.stringify({ note: 'x'.repeat(2 * 1_048_576) });
/** More than the parser of heads accepts. */
const LARGE_HEAD = 'x'.repeat(100_000);

/** Recipes by status, for the operations that have none of their own in `OWN_RECIPES`. */
export const COMMON_RECIPES: Readonly<Record<string, Recipe>> = {
  '101': upgraded,
  '200': asIs,
  '201': asIs,
  '202': asIs,
  // A parameter that no operation has.
  '400': (sound, operation) =>
    withQuery(isWebSocket(operation) ? upgraded(sound) : sound, {
      limt: '1',
    }),
  // From another machine, since operators on the same one need no key.
  '401': (sound) =>
    withHeaders(withoutHeaders(sound, 'x-api-key'), { 'x-forwarded-for': '203.0.113.7' }),
  '403': (sound, { scope }) =>
    withHeaders(sound, { 'x-api-key': scope === 'read' ? WRITE_KEY : READ_KEY }),
  '404': elsewhere,
  '413': (sound) => ({
    ...withHeaders(sound, { 'content-type': sound.headers['content-type'] ?? 'application/json' }),
    body: LARGE_BODY,
  }),
  '415': (sound) => ({ ...withHeaders(sound, { 'content-type': 'text/css' }), body: 'a {}' }),
  '429': (sound) => ({ ...sound, narrow: 'repeatedly' }),
  '431': (sound) => withHeaders(sound, { 'x-large': LARGE_HEAD }),
  '500': (sound) => ({ ...sound, deps: 'broken' }),
  '503': (sound) => ({ ...sound, deps: 'failing' }),
};

/** Statuses that another program answers in front of the service. */
export const NOT_OF_THE_SERVICE: readonly (readonly [
  status: string,
  reason: string,
  is: (operation: Operation) => boolean,
])[] = [
  ['200', 'a proxy answers WebSockets over HTTP/2 (RFC 8441), the service does not', isWebSocket],
];
