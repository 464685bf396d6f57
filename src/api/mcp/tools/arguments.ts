import type { TSchema } from 'typebox';
import { nearestName } from '../../../lib/nearest-name.ts';
import { ApiError } from '../../../model/errors.ts';
import { compileRequestPart } from '../../requests/compile-request-part.ts';
import { isObject } from '../../requests/request-schema.ts';

/**
 * Checks and parses the arguments of a tool, as the API does with a body, but refuses unknown ones.
 * The function throws ApiError with one sentence, which never repeats a value.
 */
export function argumentParser(tool: string, schema: TSchema): (given: unknown) => unknown {
  const check = compileRequestPart(schema, 'body');
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  return (given) => {
    const values = given ?? {};
    if (!isObject(values)) throw new ApiError(400, 'The arguments must be a JSON object.');
    const unknown = Object.keys(values).find((name) => !names.includes(name));
    if (unknown !== undefined) throw unknownArgument(tool, unknown, names);
    const result = check(values);
    if ('error' in result) throw result.error;
    return result.value;
  };
}

const NAME_LENGTH_MAX = 40;
/** As for parameters of the API. */
const DISTANCE_MAX = 2;

/** The name comes from the client: only one that looks like a name is repeated. */
function unknownArgument(tool: string, unknown: string, names: readonly string[]): ApiError {
  const shown = /^\w{1,40}$/.test(unknown) ? unknown : 'One of the names given';
  const nearest = nearestName(unknown.slice(0, NAME_LENGTH_MAX), names, DISTANCE_MAX);
  const advice = nearest === null ? `it takes ${names.join(', ')}` : `did you mean ${nearest}?`;
  const end = nearest === null ? '.' : '';
  return new ApiError(400, `${shown} is not an argument of ${tool}; ${advice}${end}`);
}

/** The JSON Schema of arguments, without what only the checks of this service use. */
export function publishedSchema(schema: TSchema): object {
  const text = JSON.stringify({ ...schema, additionalProperties: false }, (name, value) =>
    name.startsWith('~') || name.startsWith('x-') ? undefined : value,
  );
  return JSON.parse(text) as object;
}
