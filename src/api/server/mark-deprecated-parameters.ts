import { DEPRECATION_KEYWORD } from '../http/deprecation.ts';

interface Parameter {
  schema?: Readonly<Record<string, unknown>>;
  deprecated?: boolean;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/**
 * Moves the deprecation of parameters from their schemas, where they are declared, to the
 * parameters, where OpenAPI has it. Changes the document in place.
 */
export function markDeprecatedParameters<D extends Document>(document: D): D {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations ?? {})) {
      for (const parameter of parametersOf(operation)) {
        if (parameter.schema?.[DEPRECATION_KEYWORD] === undefined) continue;
        const { [DEPRECATION_KEYWORD]: _, ...schema } = parameter.schema;
        parameter.schema = schema;
        parameter.deprecated = true;
      }
    }
  }
  return document;
}

function parametersOf(operation: unknown): readonly Parameter[] {
  return (operation as { readonly parameters?: readonly Parameter[] }).parameters ?? [];
}
