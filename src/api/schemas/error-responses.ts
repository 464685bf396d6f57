import { Type } from 'typebox';
import type { ApiStatus } from '../../model/errors.ts';

/** The body of every error: the status again, and one sentence. */
function errorBody(status: ApiStatus, description: string, message: string) {
  return Type.Object(
    {
      code: Type.Integer({ description: 'The HTTP status.' }),
      message: Type.String({ description: 'One sentence saying what is wrong.' }),
    },
    { description, examples: [{ code: status, message }] },
  );
}

export const MISSING_KEY = 'A valid API key is required in the X-API-Key header.';
export const TOO_MANY_REQUESTS = 'Too many requests for this API key.';
export const TOO_MANY_WRONG_KEYS = 'Too many wrong API keys came from this address.';
export const TRY_AGAIN = 'Too many requests wait for an answer: try again.';
export const STORE_FAILING =
  'The service cannot store or read this at the moment, and has done nothing of it: try again.';
export const INTERNAL_ERROR = 'Internal server error.';

/** Errors that any route behind a key may answer. */
export const COMMON_ERRORS = {
  401: errorBody(401, 'API key missing, malformed or unknown.', MISSING_KEY),
  ...forbidden('read'),
  429: errorBody(429, 'Rate limit of the API key reached.', TOO_MANY_REQUESTS),
  500: errorBody(500, 'Internal error.', INTERNAL_ERROR),
};

/** The 403 of a route for keys without this scope. */
export function forbidden(scope: string) {
  const message = `This API key does not have the scope ${scope}.`;
  return { 403: errorBody(403, 'The API key lacks the scope of this route.', message) };
}

/** A 400 of a route, with an example message. */
export function badRequest(message: string) {
  return { 400: errorBody(400, 'Parameter missing or malformed.', message) };
}

/** A 404 of a route, with an example message. */
export function notFound(message: string) {
  return { 404: errorBody(404, 'Not known.', message) };
}

/** A 409 of a route, with an example message. */
export function conflict(message: string) {
  return { 409: errorBody(409, 'Not possible as things stand.', message) };
}

/** What any body may be refused for beside its content. */
export const BODY_ERRORS = {
  413: errorBody(413, 'The body is too large.', 'The request body is too large.'),
  415: errorBody(415, 'The body is not JSON.', 'The request body must be application/json.'),
};

/** The 415 of a route that takes another type than JSON. */
export function unsupportedType(message: string) {
  return { 415: errorBody(415, 'The body is of another type.', message) };
}

/** A 422 of a route, with an example message. */
export function unprocessable(message: string) {
  return { 422: errorBody(422, 'Parameter well formed but without meaning here.', message) };
}

/** A 503 of a route, with an example message. */
export function unavailable(message: string) {
  return { 503: errorBody(503, 'Not ready.', message) };
}

/** The 503 of a route that may have to ask the engine or the store. */
export function busy() {
  const description = 'The service is too busy to answer, or its store fails for now.';
  return { 503: errorBody(503, description, TRY_AGAIN) };
}
