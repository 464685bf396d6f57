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
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { type Access, type Admit, createAdmission } from '../http/admission.ts';
import { type BrowserAccess, createBrowserAccess } from '../http/browser-access.ts';
import { answerOddRequests, assertHost, clientErrorAnswerer } from '../http/client-error.ts';
import { ConnectionBound } from '../http/connection-bound.ts';
import { assertNotContradicted } from '../http/contradicted.ts';
import { deprecationHeaders } from '../http/deprecation.ts';
import { sendError, toApiError } from '../http/errors.ts';
import { FailedKeys } from '../http/failed-keys.ts';
import { awaitMinSlot } from '../http/min-slot.ts';
import { createRateLimiter, type RateLimit } from '../http/rate-limit.ts';
import { RefusalDelay } from '../http/refusal-delay.ts';
import {
  type BudgetName,
  createRequestBudgets,
  type RequestBudgets,
} from '../http/request-budgets.ts';
import { createRequestCharge, type RequestCharge } from '../http/request-charge.ts';
import { createRequestId, type RequestIdOf } from '../http/request-id.ts';
import { createRouteTable, type RouteTable } from '../http/route-table.ts';
import { commonHeaders } from '../http/security-headers.ts';
import { keepAnswers } from '../kept/keep-answers.ts';
import { createAccountLanes } from '../lanes/lanes.ts';
import { addLanes } from '../lanes/route-lanes.ts';
import { compileRequestPart } from '../requests/compile-request-part.ts';
import { partOf } from '../requests/request-schema.ts';
import { compileResponse } from '../schemas/compile-response.ts';
import { StreamLimit } from '../streams/stream-limit.ts';
import { asksForWebSocket, WebSockets } from '../streams/web-sockets.ts';
import { addAsyncApi } from './asyncapi.ts';
import { addCompression } from './compression.ts';
import { finishRequest } from './finish-request.ts';
import { openApiOptions } from './openapi.ts';
import { ROUTES } from './routes.ts';
import type { ServerOptions } from './server-options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The limits of each key and account. */
    limits: {
      readonly requests: RateLimit;
      readonly pictures: RateLimit;
      readonly streams: StreamLimit;
    };
    /** Counts an admitted request as several. */
    chargeRequest: RequestCharge;
    browser: BrowserAccess;
    /** Version of the service. */
    serviceVersion: string;
  }
  interface FastifyContextConfig {
    /** Access to the route; by default a key with the scope `read`. */
    access?: Access;
    /** The budget that requests to the route count in; by default `requests`. */
    budget?: BudgetName;
  }
}

const BODY_LIMIT_BYTES = 64 * 1_024;
/** Time limit for a complete request; the head has a shorter one. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Idle connections are closed after this time, including those whose client reads no response. */
const SILENCE_MS = 60_000;
/** Interval at which the request and header timeouts are checked. */
const TIMEOUTS_CHECKED_MS = 2_000;
/** Default of `connectionsMax`. */
const CONNECTIONS_MAX = 20_000;
/**
 * Longer than any request head Node accepts, so that long parameters reach the parser, which
 * refuses them.
 */
const PARAMETER_LENGTH_MAX = 65_536;

/** Builds the HTTP interface over `deps`. The caller starts listening and closes it. */
export function createServer(deps: ApiDeps, options: ServerOptions): FastifyInstance {
  const limit = { perMinute: options.rateLimitPerMinute, burst: options.rateLimitBurst };
  const { rateLimiter = createRateLimiter(limit), streamLimit = new StreamLimit() } = options;
  const budgets = createRequestBudgets(limit, rateLimiter);
  const browser = createBrowserAccess(deps, options);
  const admit = createAdmission({
    keys: deps.keys,
    sessions: browser.sessions,
    budgets,
    failedKeys: options.failedKeys ?? new FailedKeys(),
    openOps: options.openOps,
    nowMs: () => deps.nowMs(),
  });
  const connections = new ConnectionBound(options.connectionsMax ?? CONNECTIONS_MAX);
  const requestId = createRequestId();
  const front: Front = {
    deps,
    admit: (access, request, reply, budget) => {
      assertHost(request.raw);
      admit(access, request, reply, budget);
      // Public requests do not protect their connection from displacement.
      if (request.apiKey !== null) {
        connections.admit(request.raw.socket, request.apiKey.accountId);
      }
    },
    browser,
    table: createRouteTable(),
    headers: commonHeaders(options),
    requestId,
    refusals: new RefusalDelay(),
  };
  const app = createFastify(options, front);
  keepAnswers(app, { deps, limiter: rateLimiter, connections, requestId });
  app.server.on('connection', (socket) => connections.open(socket));
  answerOddRequests(app.server, front);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('apiKey', null);
  app.decorateRequest('allowance', null);
  app.decorateRequest('presentedKey', null);
  app.decorate('browser', browser);
  app.decorate('serviceVersion', options.version);
  app.decorate('limits', limitsOf(budgets, streamLimit));
  const nowMs = () => deps.nowMs();
  app.decorate('chargeRequest', createRequestCharge({ budget: budgets.requests, nowMs }));
  app.decorate('webSockets', new WebSockets(app, deps.keys, streamLimit, browser.tickets));
  app.setValidatorCompiler(({ schema, httpPart }) => compileRequestPart(schema, partOf(httpPart)));
  app.setSerializerCompiler(({ schema }) => compileResponse(schema as object));
  app.setErrorHandler((error, request, reply) => answerError(front, error, request, reply));
  addRouteHooks(app, front);
  addLanes(app, options.lanes ?? createAccountLanes());
  addCompression(app);
  void app.register(unmatchedRoutes(front));
  void app.register(swagger, openApiOptions(options.version));
  addAsyncApi(app, options.version);
  for (const route of ROUTES) void app.register(route(deps));
  return app;
}

function limitsOf(
  { requests, pictures }: RequestBudgets,
  streams: StreamLimit,
): FastifyInstance['limits'] {
  return { requests: requests.limit, pictures: pictures.limit, streams };
}

/** State shared by all routes. */
interface Front {
  readonly deps: ApiDeps;
  readonly admit: Admit;
  readonly browser: BrowserAccess;
  readonly table: RouteTable;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: RequestIdOf;
  readonly refusals: RefusalDelay;
}

function createFastify(options: ServerOptions, front: Front): FastifyInstance {
  const { deps, admit } = front;
  return fastify({
    ...(options.logger === undefined ? {} : { loggerInstance: withoutChildren(options.logger) }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => front.requestId(headers['x-request-id']),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // Fastify's own 503 has a different body than other errors; requests in flight are completed
    // instead.
    return503OnClosing: false,
    clientErrorHandler: clientErrorAnswerer(front),
    http: {
      shouldUpgradeCallback: asksForWebSocket,
      // Checked by `assertHost`, which answers with the common error body.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    },
    // Requests with an undecodable URL reach no hook: they are admitted and counted here.
    frameworkErrors: (error, request, reply) => {
      setConstantHeaders(request, reply, front);
      answerError(front, admitted(admit, request, reply) ?? error, request, reply, () =>
        deps.metrics.observeRequest(request.method, UNMATCHED, reply.statusCode, 0),
      );
    },
  });
}

/**
 * Fastify creates a child logger per request. Few requests log anything, and those lines contain
 * the request ID themselves.
 */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const childless: FastifyBaseLogger = Object.assign(Object.create(logger), {
    child: () => childless,
  });
  return childless;
}

/**
 * Hooks are bound to each route at registration, when its access and name are known; nothing is
 * looked up per request.
 */
function addRouteHooks(app: FastifyInstance, front: Front): void {
  const { deps, admit, table } = front;
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // Links to pages may contain anything: pages have no schema at this point.
    if (route.schema !== undefined)
      route.schema = { querystring: Type.Object({}), ...route.schema };
    // Evaluated per request: plugins set the access of their routes after this hook.
    const accessOf = (): Access => route.config?.access ?? 'read';
    const budget = route.config?.budget;
    const deprecation = deprecationHeaders(route.schema);
    table.add(url, method, accessOf);
    const onRequest: onRequestHookHandler = (request, reply, done) => {
      setConstantHeaders(request, reply, front);
      if (deprecation !== null) reply.headers(deprecation(request.query as object) ?? {});
      admit(accessOf(), request, reply, budget);
      assertNotContradicted(deps, accessOf(), url);
      awaitMinSlot(deps.reached, accessOf(), request, reply, done);
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
/** Route label of requests that matched no route. */
const UNMATCHED = 'unmatched';

/**
 * Answers requests that match no route: 405 with Allow if the path supports other methods,
 * otherwise 404; in both cases only with a valid key, except preflights of known origins. Registered in its own scope so that its hooks
 * do not run for other routes.
 */
function unmatchedRoutes(front: Front): FastifyPluginCallback {
  const { deps, admit, table, browser } = front;
  return (scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      setConstantHeaders(request, reply, front);
      const match = table.match(request.raw.url ?? '');
      if (match !== null && browser.origins.isPreflight(request)) {
        browser.origins.answer(reply, match.methods);
        return;
      }
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
  { headers, browser }: Front,
): void {
  reply.headers(headers);
  browser.origins.allow(request, reply);
  reply.header('x-request-id', request.id);
}

/** The error that refuses the request, or null. */
function admitted(admit: Admit, request: FastifyRequest, reply: FastifyReply): ApiError | null {
  try {
    admit('read', request, reply);
    return null;
  } catch (error) {
    return toApiError(error);
  }
}

/** Answers with an error: at once, unless it is one of too many refusals of a client. */
function answerError(
  { deps, refusals }: Front,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  onSent?: () => void,
): void {
  const answer = toApiError(error);
  if (answer.status === 500) {
    request.log.error({ requestId: request.id, err: error }, 'request failed');
  }
  refusals.answer(answer.status, request.socket.remoteAddress ?? '', deps.nowMs(), () => {
    sendError(reply, answer);
    onSent?.();
  });
}
