import { Type } from 'typebox';
import type { ApiStatus } from '../../model/errors.ts';

/** Body of an error response: the HTTP status and a one-sentence message. */
function errorBody(status: ApiStatus, description: string, message: string) {
  return Type.Object(
    {
      code: Type.Integer({ description: 'The HTTP status.' }),
      message: Type.String({ description: 'One sentence that describes the error.' }),
    },
    { description, examples: [{ code: status, message }] },
  );
}

export const MISSING_KEY = 'A valid API key is required in the X-API-Key header.';
export const TOO_MANY_REQUESTS = 'Too many requests for this API key.';
export const TOO_MANY_WRONG_KEYS = 'Too many wrong API keys came from this address.';
export const TRY_AGAIN = 'Too many requests are waiting: try again.';
export const STORE_FAILING =
  'The service cannot read or write its store at the moment. Nothing was changed. Try again later.';
export const INTERNAL_ERROR = 'Internal server error.';

/** Errors any authenticated route may return. */
export const COMMON_ERRORS = {
  401: errorBody(401, 'The API key is missing, malformed or unknown.', MISSING_KEY),
  ...forbidden('read'),
  429: errorBody(429, 'The rate limit of the API key was exceeded.', TOO_MANY_REQUESTS),
  500: errorBody(500, 'Internal error.', INTERNAL_ERROR),
};

/** 403 response for keys without this scope. */
export function forbidden(scope: string) {
  const message = `This API key does not have the scope ${scope}.`;
  return { 403: errorBody(403, 'The API key lacks the scope of this route.', message) };
}

/** 400 response with an example message. */
export function badRequest(message: string) {
  return { 400: errorBody(400, 'A parameter is missing or malformed.', message) };
}

/** 404 response with an example message. */
export function notFound(message: string) {
  return { 404: errorBody(404, 'The resource does not exist.', message) };
}

/** 409 response with an example message. */
export function conflict(message: string) {
  return { 409: errorBody(409, 'The request conflicts with the current state.', message) };
}

/** Errors of any route with a JSON body, apart from invalid content. */
export const BODY_ERRORS = {
  413: errorBody(413, 'The body is too large.', 'The request body is too large.'),
  415: errorBody(415, 'The body is not JSON.', 'The request body must be application/json.'),
};

/** 415 response of a route that accepts a media type other than JSON. */
export function unsupportedType(message: string) {
  return { 415: errorBody(415, 'The media type of the body is not supported.', message) };
}

/** 422 response with an example message. */
export function unprocessable(message: string) {
  return { 422: errorBody(422, 'A parameter is well formed but not valid here.', message) };
}

/** 503 response with an example message. */
export function unavailable(message: string) {
  return { 503: errorBody(503, 'The service is not ready.', message) };
}

/** 503 response of a route that may call the engine thread or the store. */
export function busy() {
  const description = 'The service is overloaded, or its store is temporarily failing.';
  return { 503: errorBody(503, description, TRY_AGAIN) };
}
