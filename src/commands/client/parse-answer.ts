import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { displayText } from '../../lib/terminal/display-text.ts';
import { ServiceError } from '../../model/errors.ts';

/** A body as its schema describes it. Throws ServiceError for any other. */
export function parseAnswer<Schema extends TSchema>(
  text: string,
  schema: Schema,
  host: string,
): Static<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceError(`${host} answered something other than JSON: check --url.`);
  }
  if (Value.Check(schema, body)) return body;
  const [first] = Value.Errors(schema, body);
  const fault = displayText(`${first?.instancePath ?? ''} ${first?.message ?? 'differs'}`.trim());
  throw new ServiceError(
    `${host} is no service of this version: its answer ${fault}. --json prints it as it is.`,
  );
}
