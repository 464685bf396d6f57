import { ApiError } from '../../model/errors.ts';
import { parseInstant } from './parse-instant.ts';
import {
  type Parameter,
  parseAddress,
  parseChoice,
  parseInteger,
  parseList,
  parseText,
  parseUuid,
} from './parse-parameter.ts';

/** A query or path parameter as described by its schema. */
interface ParameterSchema {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly 'x-list-of'?: readonly string[];
  readonly 'x-invalid-status'?: unknown;
}

interface ParametersSchema {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
}

interface CompiledParameter extends Parameter {
  readonly isRequired: boolean;
  readonly fallback: unknown;
  readonly parse: (text: string) => unknown;
}

type Validator = (raw: unknown) => { value: unknown } | { error: Error };

/**
 * Compiles a schema of query or path parameters into a function that validates and parses them.
 * Errors are reported in the order of CONTRACT §1: missing or repeated parameters, then 400 errors,
 * then 422 errors. Unknown parameters are ignored. Throws at server startup for a schema it cannot
 * enforce.
 */
export function compileParameters(schema: unknown): Validator {
  const { properties, required = [] } = schema as ParametersSchema;
  const parameters = Object.entries(properties)
    .map(([name, property]) => compileParameter(name, property, required.includes(name)))
    .sort((one, other) => one.status - other.status);
  return (raw) => {
    try {
      return { value: readParameters(parameters, raw as Record<string, unknown>) };
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
  };
}

/** Replaces the texts in `raw`, which is owned by this request, with the parsed values. */
function readParameters(
  parameters: readonly CompiledParameter[],
  raw: Record<string, unknown>,
): Record<string, unknown> {
  for (const { name, isRequired } of parameters) {
    const given = raw[name];
    if (given === undefined) {
      if (isRequired) throw new ApiError(400, `${name} is required.`);
    } else if (typeof given !== 'string') {
      throw new ApiError(400, `${name} is given more than once.`);
    }
  }
  for (const { name, fallback, parse } of parameters) {
    const text = raw[name];
    if (text !== undefined) raw[name] = parse(text as string);
    else if (fallback !== undefined) raw[name] = fallback;
  }
  return raw;
}

function compileParameter(
  name: string,
  schema: ParameterSchema,
  isRequired: boolean,
): CompiledParameter {
  const status = schema['x-invalid-status'] === 422 ? 422 : 400;
  const parse = parserOf(schema, { name, status });
  return { name, status, isRequired, fallback: schema.default, parse };
}

function parserOf(schema: ParameterSchema, parameter: Parameter): (text: string) => unknown {
  const { type, format, enum: choices, minimum, maximum, maxLength } = schema;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    const range = { least: minimum, most: maximum };
    return (text) => parseInteger(text, range, parameter);
  }
  if (choices !== undefined) return (text) => parseChoice(text, choices, parameter);
  if (format === ADDRESS_FORMAT) return (text) => parseAddress(text, parameter);
  if (format === UUID_FORMAT) return (text) => parseUuid(text, parameter);
  if (format === INSTANT_FORMAT) return (text) => parseInstant(text, parameter);
  if (format === ECHOED_INSTANT_FORMAT) {
    return (text): EchoedInstant => ({ text, timeMs: parseInstant(text, parameter) });
  }
  const names = schema['x-list-of'];
  if (names !== undefined) return (text) => parseList(text, names, parameter);
  if (maxLength !== undefined) return (text) => parseText(text, maxLength, parameter);
  throw new TypeError(`No parser for the schema of parameter ${parameter.name}`);
}

export const ADDRESS_FORMAT = 'solana-address';
export const UUID_FORMAT = 'uuid';
export const INSTANT_FORMAT = 'iso-8601';
export const ECHOED_INSTANT_FORMAT = 'iso-8601-echoed';

/** An instant with its original text, which is echoed in the response. */
export interface EchoedInstant {
  readonly text: string;
  readonly timeMs: number;
}
