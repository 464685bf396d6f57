import { ApiError } from '../../../model/errors.ts';

/** The different values of a repeated field. Throws ApiError 422 if one is not of the choices. */
export function parseChoices<Choice extends string>(
  field: string,
  given: readonly string[],
  choices: readonly Choice[],
): ReadonlySet<Choice> {
  const isChoice = (value: string): value is Choice =>
    (choices as readonly string[]).includes(value);
  if (!given.every(isChoice)) {
    throw new ApiError(422, `${field} must be some of ${choices.join(', ')}.`);
  }
  return new Set(given);
}
