import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { PendingAnswer } from './account-lane.ts';
import type { AccountLanes, LaneName } from './lanes.ts';

/** Lane by route pattern; the first match applies. */
const ROUTE_LANES: readonly (readonly [pattern: RegExp, lane: LaneName | null])[] = [
  // Streams have their own limit and are not open requests.
  [/\/ws$/, null],
  [/^\/v1\/stream(\/sse)?$/, null],
  [/^\/v1\/token\/:token_address(\/picture)?$/, 'current'],
  [/^\/v1\/indicators\/current$/, 'current'],
  [/^\/v1\/wallets\/:address\/(trades|positions|links|created-tokens)$/, 'query'],
  [/^\/v1\/trades$/, 'query'],
  [/^\/v1\/export\//, 'download'],
  [/^\/v1\/wallets\//, 'current'],
  [/^\/v1\/tokens$/, 'query'],
  [/^\/v1\/token\/:token_address\/(holders|top-traders|first-buyers|holders-over-time)$/, 'query'],
  [/^\/v1\/batch\//, 'query'],
  [/^\/v1\/indicators\/historic$/, 'query'],
  [/^\/v1\/market\//, 'query'],
  [/^\/udf\/(history|marks|search)$/, 'query'],
  [/^\/udf\/symbols$/, 'current'],
  [/^\/v1\/signals\/statistics$/, 'statistics'],
  [/^\/v1\/signals(\/:row_id)?$/, 'query'],
  [/^\/v1\/fraud\/.*\/review$/, 'account'],
  [/^\/v1\/fraud\//, 'query'],
  [/^\/v1\/token\/:token_address\/clones$/, 'export'],
  [/^\/v1\/socials\//, 'export'],
  [/^\/v1\/(triggers|webhooks|backtests)(\/|$)/, 'account'],
  [/^\/v1\/coverage$/, 'operations'],
  [/^\/metrics$/, 'operations'],
  // Its tools read routes, each in its own lane: one around them could wait for itself.
  [/^\/mcp$/, null],
  // Constant or shared responses, and what the API's thread knows at once.
  [/^\/v1\/(key|session|stream\/ticket)$/, null],
  [/^\/udf\/(config|time)$/, null],
  [/^\/(livez|readyz|openapi\.json|asyncapi\.json|docs(\/.*)?)?$/, null],
];

/** The lane of a path; null if it needs none. Paths without an entry use the `query` lane. */
export function laneOf(url: string): LaneName | null {
  const found = ROUTE_LANES.find(([pattern]) => pattern.test(url));
  return found === undefined ? 'query' : found[1];
}

/** Lanes with large responses: these count as open until the client has received them. */
const HOLDS_ANSWER: ReadonlySet<LaneName> = new Set<LaneName>([
  'query',
  'statistics',
  'export',
  'download',
]);

/** Routes whose `as_of_slot` reads a state that may have to be computed. */
const READS_PAST: ReadonlySet<string> = new Set([
  '/v1/token/:token_address',
  '/v1/token/:token_address/holders',
  '/v1/indicators/current',
]);

/**
 * Runs every handler in the lane of its path, on behalf of the account of the request; reads of
 * earlier slots in a lane of their own, so that current rows never wait behind them.
 */
export function addLanes(app: FastifyInstance, lanes: AccountLanes): void {
  app.addHook('onRoute', (route) => {
    const name = laneOf(route.url);
    if (name === null) return;
    const { handler } = route;
    const readsPast = READS_PAST.has(route.url);
    const isHeld = HOLDS_ANSWER.has(name);
    route.handler = function (request, reply) {
      const accountId = request.apiKey?.accountId ?? null;
      const isPast = readsPast && isAsOfSlot(request.query);
      const lane = lanes[isPast ? 'past' : name];
      const work = () => handler.call(this, request, reply) as Awaitable<unknown>;
      return lane.run(accountId, work, answerOf(reply, isHeld));
    };
  });
}

function isAsOfSlot(query: unknown): boolean {
  return (query as { readonly as_of_slot?: number }).as_of_slot !== undefined;
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
