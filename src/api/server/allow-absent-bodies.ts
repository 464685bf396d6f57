interface RequestBody {
  required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly default?: unknown } }>>;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/**
 * Marks bodies as not required whose schemas have a default, which stands for an absent body. Changes
 * the document in place.
 */
export function allowAbsentBodies<D extends Document>(document: D): D {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(operations ?? {})) {
      const { requestBody } = operation as { readonly requestBody?: RequestBody };
      const bodies = Object.values(requestBody?.content ?? {});
      if (requestBody === undefined || bodies.length === 0) continue;
      if (bodies.every(({ schema }) => schema?.default !== undefined)) requestBody.required = false;
    }
  }
  return document;
}
