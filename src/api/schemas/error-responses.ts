import { Type } from 'typebox';
import type { ApiStatus } from '../../model/errors.ts';

/** Body of an error response: the HTTP status and a one-sentence message. */
export function errorBody(status: ApiStatus | 431, description: string, message: string) {
  return Type.Object(
    {
      code: Type.Integer({ description: 'The HTTP status.' }),
      message: Type.String({ description: 'One sentence that describes the error.' }),
    },
    { description, examples: [{ code: status, message }] },
  );
}

export const MISSING_KEY =
  'A valid API key is required, in the header X-API-Key or as Authorization: Bearer.';
export const FOREIGN_ORIGIN =
  'A session can be used for this only by a page of this server: the Origin header must name it.';
export const TOO_MANY_REQUESTS = 'Too many requests for this API key.';
export const TOO_MANY_WRONG_KEYS = 'Too many wrong API keys came from this address.';
export const TRY_AGAIN = 'Too many requests are waiting: try again.';
export const STORE_FAILING =
  'The service cannot read or write its store at the moment. Nothing was changed. Try again later.';
export const INTERNAL_ERROR = 'Internal server error.';

const UNKNOWN_PARAMETER = 'limt is not a parameter of this endpoint; did you mean limit?';

/** Error any route may return, those without a key too. */
export const MALFORMED = {
  400: errorBody(400, 'A parameter is missing, malformed, unknown or repeated.', UNKNOWN_PARAMETER),
};

/** Error of a path without parameters. */
export const HEAD_TOO_LARGE = {
  431: errorBody(431, 'The head of the request is too large.', 'The request head is too large.'),
};

/** Errors any authenticated route may return. */
export const COMMON_ERRORS = {
  ...MALFORMED,
  401: errorBody(401, 'The API key is missing, malformed or unknown.', MISSING_KEY),
  403: forbidden('read'),
  429: errorBody(429, 'The rate limit of the API key was exceeded.', TOO_MANY_REQUESTS),
  500: errorBody(500, 'Internal error.', INTERNAL_ERROR),
};

const { 403: _, ...KEY_ERRORS } = COMMON_ERRORS;
/** Errors of a route for operators, whose keys need no scope. */
export const OPERATOR_ERRORS = KEY_ERRORS;

/** For keys without this scope. */
function forbidden(scope: string) {
  const message = `This API key does not have the scope ${scope}.`;
  return errorBody(403, 'The API key lacks the scope of this route.', message);
}

/** Errors that only some routes return. */
const DESCRIPTIONS = {
  400: 'A parameter is missing, malformed, unknown or repeated.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with the current state.',
  415: 'The media type of the body is not supported.',
  422: 'A parameter is well formed but not valid here.',
} as const;

type Messages = { readonly [Status in keyof typeof DESCRIPTIONS]?: string };
type ErrorBody = ReturnType<typeof errorBody>;

/**
 * Errors of a route that may call the engine thread or the store. `messages` are examples for the
 * statuses that not every route returns.
 */
export function errors<const Own extends Messages>(messages: Own) {
  const description =
    'The service is starting or overloaded, its store is temporarily failing, or its current state ' +
    'is being computed again.';
  return {
    ...COMMON_ERRORS,
    503: errorBody(503, description, TRY_AGAIN),
    ...errorBodies(messages),
  };
}

/** Like `errors`, with the fields of the UDF protocol besides. */
export function udfErrors<const Own extends Messages>(messages: Own) {
  const bodies = Object.entries(errors(messages)).map(([status, body]) => {
    const { description, examples } = body as ErrorBody & UdfTexts;
    const [{ code, message }] = examples;
    const example = { code, message, ...udfErrorFields(message) };
    return [status, { ...UDF_ERROR, description, examples: [example] }];
  });
  type Bodies = Record<keyof ReturnType<typeof errors<Own>>, typeof UDF_ERROR>;
  return Object.fromEntries(bodies) as Bodies;
}

interface UdfTexts {
  readonly description: string;
  readonly examples: readonly [{ readonly code: number; readonly message: string }];
}

/** Charts read these fields, and not the status. */
export function udfErrorFields(message: string) {
  return { s: 'error', errmsg: message };
}

const UDF_ERROR = Type.Object(
  {
    ...errorBody(400, '', '').properties,
    s: Type.String({ description: 'Always error: charts look at this and not at the status.' }),
    errmsg: Type.String({ description: 'The message once more, where charts look for it.' }),
  },
  { title: 'UdfErrorBody' },
);

/** Errors by status, each with an example message. */
export function errorBodies<const Own extends Messages>(messages: Own) {
  const bodies = Object.entries(messages).map(([text, message]) => {
    const status = Number(text) as keyof typeof DESCRIPTIONS;
    return [status, errorBody(status, DESCRIPTIONS[status], message)];
  });
  return Object.fromEntries(bodies) as { readonly [Status in keyof Own]: ErrorBody };
}

/** Like `errors`, for a route with a body that requires a scope. */
export function writeErrors<const Own extends Messages>(scope: string, messages: Own) {
  return {
    413: errorBody(413, 'The body is too large.', 'The request body is too large.'),
    415: errorBody(415, 'The body is not JSON.', 'The request body must be application/json.'),
    ...errors(messages),
    403: forbidden(scope),
  };
}

/** Errors of a route that changes the session of the request and requires no scope. */
export function sessionErrors<const Own extends Messages>(messages: Own) {
  return {
    ...writeErrors('read', messages),
    403: errorBody(403, 'A page of another origin used the session.', FOREIGN_ORIGIN),
  };
}

/** 503 response with an example message. */
export function unavailable(message: string) {
  return { 503: errorBody(503, 'The service is not ready.', message) };
}
