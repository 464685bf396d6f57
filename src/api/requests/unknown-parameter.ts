import { nearestName } from '../../lib/nearest-name.ts';
import { ApiError } from '../../model/errors.ts';

/** Parameters that proxies and clients add for themselves. */
const IGNORED = /^x-/i;
/** Longer names are shortened in messages, and resemble no parameter. */
const NAME_LENGTH_MAX = 64;

/**
 * A function that returns the 400 for the first query parameter that is not in `names`, or null
 * (CONTRACT §4.1): a misspelled filter must not answer a different question. Parameters that begin
 * with `x-` are ignored.
 */
export function unknownParameterCheck(
  names: readonly string[],
): (query: object) => ApiError | null {
  const known = new Set(names);
  return (query) => {
    for (const name in query) {
      if (!known.has(name) && !IGNORED.test(name)) return unknownParameter(name, names);
    }
    return null;
  };
}

function unknownParameter(name: string, names: readonly string[]): ApiError {
  if (name === '') return new ApiError(400, 'A parameter has no name.');
  const isShort = name.length <= NAME_LENGTH_MAX;
  const shown = isShort ? name : `${name.slice(0, NAME_LENGTH_MAX)}…`;
  const distanceMax = Math.max(1, Math.floor(name.length / 3));
  const nearest = isShort ? nearestName(name, names, distanceMax) : null;
  const hint = nearest === null ? '.' : `; did you mean ${nearest}?`;
  return new ApiError(400, `${shown} is not a parameter of this endpoint${hint}`);
}
