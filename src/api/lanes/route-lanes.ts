import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { PendingAnswer } from './account-lane.ts';
import type { AccountLanes, LaneName } from './lanes.ts';

/** Lane by route pattern; the first match applies. */
const ROUTE_LANES: readonly (readonly [pattern: RegExp, lane: LaneName | null])[] = [
  // Streams have their own limit and are not open requests.
  [/\/ws$/, null],
  [/^\/v1\/token\/:token_address$/, 'current'],
  [/^\/v1\/indicators\/current$/, 'current'],
  [/^\/v1\/wallets\//, 'current'],
  [/^\/v1\/tokens$/, 'query'],
  [/^\/v1\/token\/:token_address\/holders$/, 'query'],
  [/^\/v1\/indicators\/historic$/, 'query'],
  [/^\/v1\/market\//, 'query'],
  [/^\/v1\/signals\/statistics$/, 'statistics'],
  [/^\/v1\/signals(\/:row_id)?$/, 'query'],
  [/^\/v1\/fraud\/.*\/review$/, 'account'],
  [/^\/v1\/fraud\//, 'query'],
  [/^\/v1\/token\/:token_address\/clones$/, 'export'],
  [/^\/v1\/socials\//, 'export'],
  [/^\/v1\/(triggers|webhooks)(\/|$)/, 'account'],
  [/^\/v1\/coverage$/, 'operations'],
  [/^\/metrics$/, 'operations'],
  // Constant or shared responses.
  [/^\/(livez|readyz|openapi\.json|docs(\/.*)?)?$/, null],
];

/** The lane of a path; null if it needs none. Paths without an entry use the `query` lane. */
export function laneOf(url: string): LaneName | null {
  const found = ROUTE_LANES.find(([pattern]) => pattern.test(url));
  return found === undefined ? 'query' : found[1];
}

/** Lanes with large responses: these count as open until the client has received them. */
const HOLDS_ANSWER: ReadonlySet<LaneName> = new Set<LaneName>(['query', 'statistics', 'export']);

/** Runs every handler in the lane of its path, on behalf of the account of the request. */
export function addLanes(app: FastifyInstance, lanes: AccountLanes): void {
  app.addHook('onRoute', (route) => {
    const name = laneOf(route.url);
    if (name === null) return;
    const { handler } = route;
    const lane = lanes[name];
    const isHeld = HOLDS_ANSWER.has(name);
    route.handler = function (request, reply) {
      const accountId = request.apiKey?.accountId ?? null;
      const work = () => handler.call(this, request, reply) as Awaitable<unknown>;
      return lane.run(accountId, work, answerOf(reply, isHeld));
    };
  });
}

function answerOf({ raw }: FastifyReply, isHeld: boolean): PendingAnswer {
  return {
    isHeld,
    get isEnded() {
      return raw.closed;
    },
    onEnd(listener) {
      raw.once('close', listener);
    },
  };
}
