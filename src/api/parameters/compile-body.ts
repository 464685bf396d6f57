import { ApiError } from '../../model/errors.ts';
import { compileParameters } from './compile-parameters.ts';

type Validator = (raw: unknown) => { value: unknown } | { error: Error };

/**
 * Compiles the schema of a JSON body whose fields are strings into a function that validates and
 * parses it. Type errors are reported first, then the fields are checked like parameters. Unknown
 * fields are ignored.
 */
export function compileBody(schema: unknown): Validator {
  const { properties } = schema as { readonly properties: Readonly<Record<string, unknown>> };
  const names = Object.keys(properties);
  const readFields = compileParameters(schema);
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      return { error: new ApiError(400, 'The request body must be a JSON object.') };
    }
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const given: unknown = Object.hasOwn(raw, name) ? raw[name as keyof typeof raw] : undefined;
      if (given !== undefined && typeof given !== 'string') {
        return { error: new ApiError(400, `${name} must be a string.`) };
      }
      if (given !== undefined) fields[name] = given;
    }
    return readFields(fields);
  };
}
