import swagger from '@fastify/swagger';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
  type onResponseHookHandler,
} from 'fastify';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { type Access, type Admit, createAdmission } from '../http/admission.ts';
import { answerClientError, answerOddRequests, assertHost } from '../http/client-error.ts';
import { ConnectionBound } from '../http/connection-bound.ts';
import { sendError, toApiError } from '../http/errors.ts';
import { FailedKeys } from '../http/failed-keys.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { RefusalDelay } from '../http/refusal-delay.ts';
import { createRequestId } from '../http/request-id.ts';
import { createRouteTable, type RouteTable } from '../http/route-table.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { type AccountLanes, createAccountLanes } from '../lanes/lanes.ts';
import { addLanes } from '../lanes/route-lanes.ts';
import { compileBody } from '../parameters/compile-body.ts';
import { compileParameters } from '../parameters/compile-parameters.ts';
import { StreamLimit } from '../streams/stream-limit.ts';
import { asksForWebSocket, WebSockets } from '../streams/web-sockets.ts';
import { openApiOptions } from './openapi.ts';
import { ROUTES } from './routes.ts';

export interface ServerOptions {
  /** Version of the service, for the OpenAPI document. */
  readonly version: string;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  /** Counts the requests of each key, of that rate and burst; one of its own when left out. */
  readonly rateLimiter?: RateLimiter;
  /** Answer /readyz and /metrics without a key to other machines too. */
  readonly openOps: boolean;
  /** Counts open streams of all kinds; one of its own when left out. */
  readonly streamLimit?: StreamLimit;
  /** What each account may ask at a time; lanes of its own when left out. */
  readonly lanes?: AccountLanes;
  /** Counts wrong keys by address over all protocols; one of its own when left out. */
  readonly failedKeys?: FailedKeys;
  /** Connections at a time, idle ones included. */
  readonly connectionsMax?: number;
  /** Every answer says `x-simulated: true`: the chain behind them is made up. */
  readonly isSimulated?: boolean;
  /** Requests are logged at debug, internal errors at error. Silent when left out. */
  readonly logger?: FastifyBaseLogger;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route; a key with the scope `read` when left out. */
    access?: Access;
  }
}

const BODY_LIMIT_BYTES = 64 * 1_024;
/** A request has to arrive whole within this, its head sooner. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** A connection on which nothing moves for this long is closed, an answer that nobody reads too. */
const SILENCE_MS = 60_000;
/** How often connections are held against these two. */
const TIMEOUTS_CHECKED_MS = 2_000;
/** Where nobody says how many there is room for. */
const CONNECTIONS_MAX = 20_000;
/** Longer than any request head Node accepts: a long parameter is the parser's to refuse. */
const PARAMETER_LENGTH_MAX = 65_536;

/** Builds the HTTP interface over `deps`. The caller makes it listen, and closes it. */
export function createServer(deps: ApiDeps, options: ServerOptions): FastifyInstance {
  const limit = { perMinute: options.rateLimitPerMinute, burst: options.rateLimitBurst };
  const { rateLimiter = createRateLimiter(limit), streamLimit = new StreamLimit() } = options;
  const admit = createAdmission({
    keys: deps.keys,
    limiter: rateLimiter,
    failedKeys: options.failedKeys ?? new FailedKeys(),
    burst: limit.burst,
    openOps: options.openOps,
    nowMs: () => deps.nowMs(),
  });
  const connections = new ConnectionBound(options.connectionsMax ?? CONNECTIONS_MAX);
  const front: Front = {
    deps,
    admit: (access, request, reply) => {
      assertHost(request.raw);
      admit(access, request, reply);
      // What anybody may ask keeps nobody's place.
      if (request.apiKey !== null) {
        connections.admit(request.raw.socket, request.apiKey.accountId);
      }
    },
    table: createRouteTable(),
    headers: headersOf(options),
  };
  const app = createFastify(options, front);
  app.server.on('connection', (socket) => connections.open(socket));
  answerOddRequests(app.server);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('apiKey', null);
  app.decorate('webSockets', new WebSockets(app, deps.keys, streamLimit));
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? compileBody(schema) : compileParameters(schema),
  );
  const refusals = new RefusalDelay();
  app.setErrorHandler((error, request, reply) => {
    const answer = toApiError(error);
    const address = request.socket.remoteAddress ?? '';
    refusals.answer(answer.status, address, deps.nowMs(), () => answerError(error, request, reply));
  });
  addRouteHooks(app, front);
  addLanes(app, options.lanes ?? createAccountLanes());
  void app.register(unmatchedRoutes(front));
  void app.register(swagger, openApiOptions(options.version));
  for (const route of ROUTES) void app.register(route(deps));
  return app;
}

/** What stands before every route. */
interface Front {
  readonly deps: ApiDeps;
  readonly admit: Admit;
  readonly table: RouteTable;
  /** What every answer says. */
  readonly headers: Readonly<Record<string, string>>;
}

function headersOf({ isSimulated = false }: ServerOptions): Front['headers'] {
  return isSimulated ? { ...SECURITY_HEADERS, 'x-simulated': 'true' } : SECURITY_HEADERS;
}

function createFastify(options: ServerOptions, { deps, admit, headers }: Front): FastifyInstance {
  return fastify({
    ...(options.logger === undefined ? {} : { loggerInstance: withoutChildren(options.logger) }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // Its 503 has another body than every other error; requests in flight are finished instead.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    http: {
      shouldUpgradeCallback: asksForWebSocket,
      // Asked for by `assertHost`, whose refusal has the body of every error.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    },
    // A URL that cannot be decoded meets no hook, so it is admitted and counted here.
    frameworkErrors: (error, request, reply) => {
      setConstantHeaders(request, reply, headers);
      answerError(admitted(admit, request, reply) ?? error, request, reply);
      deps.metrics.observeRequest(request.method, UNMATCHED, reply.statusCode, 0);
    },
  });
}

/**
 * The framework makes a child logger for every request. Few requests log anything, and those lines
 * name the request themselves.
 */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const childless: FastifyBaseLogger = Object.assign(Object.create(logger), {
    child: () => childless,
  });
  return childless;
}

/**
 * Hooks bound to each route when it is registered: who may use it and what it is called are known
 * then, and nothing is looked up per request.
 */
function addRouteHooks(app: FastifyInstance, { deps, admit, table, headers }: Front): void {
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // Asked when a request comes: plugins set the access of their routes after this hook.
    const accessOf = (): Access => route.config?.access ?? 'read';
    table.add(url, method, accessOf);
    const onRequest: onRequestHookHandler = (request, reply, done) => {
      setConstantHeaders(request, reply, headers);
      admit(accessOf(), request, reply);
      done();
    };
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      finishRequest(deps, url, request, reply);
      done();
    };
    route.onRequest = [onRequest, ...[route.onRequest ?? []].flat()];
    route.onResponse = [onResponse, ...[route.onResponse ?? []].flat()];
  });
}

const NO_SUCH_PATH = 'There is no such path.';
/** The route label of requests that met no route. */
const UNMATCHED = 'unmatched';

/**
 * Answers what no route does: 405 with Allow where the path answers other methods, else 404, and
 * never without a key first. In a scope of its own, so that its hooks cost the routes nothing.
 */
function unmatchedRoutes({ deps, admit, table, headers }: Front): FastifyPluginCallback {
  return (scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      setConstantHeaders(request, reply, headers);
      const match = table.match(request.raw.url ?? '');
      admit(match?.access ?? 'read', request, reply);
      if (match === null) throw new ApiError(404, NO_SUCH_PATH);
      const allow = match.methods.join(', ');
      reply.header('allow', allow);
      next(new ApiError(405, `This path answers only ${allow}.`));
    });
    scope.addHook('onResponse', (request, reply, next) => {
      finishRequest(deps, UNMATCHED, request, reply);
      next();
    });
    scope.setNotFoundHandler(() => {
      throw new ApiError(404, NO_SUCH_PATH);
    });
    done();
  };
}

function setConstantHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Front['headers'],
): void {
  reply.headers(headers);
  reply.header('x-request-id', request.id);
}

/** The error that keeps the request out, or null. */
function admitted(admit: Admit, request: FastifyRequest, reply: FastifyReply): ApiError | null {
  try {
    admit('read', request, reply);
    return null;
  } catch (error) {
    return toApiError(error);
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = toApiError(error);
  if (answer.status === 500) {
    request.log.error({ requestId: request.id, err: error }, 'request failed');
  }
  sendError(reply, answer);
}

/** Counts and logs a finished request by its route, never by its URL, which may hold anything. */
function finishRequest(
  { metrics }: ApiDeps,
  route: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { method, log, id } = request;
  const { statusCode: status, elapsedTime: elapsedMs } = reply;
  metrics.observeRequest(method, route, status, elapsedMs / 1_000);
  if (log.level === 'debug' || log.level === 'trace') {
    log.debug({ requestId: id, method, route, status, elapsedMs }, 'request');
  }
}
