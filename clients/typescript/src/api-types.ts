import type { paths } from '../generated/api.ts';
import type { Deprecation } from './versions.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Paths that have an operation of this method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { readonly [K in M]: object } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

type ParametersOf<O> = O extends { parameters: infer A extends object }
  ? Pick<A, Extract<keyof A, 'path' | 'query'>>
  : object;

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : { body?: never };

/** What a request takes. The names are those of the API. */
export type RequestOf<P extends keyof paths, M extends Method> = ParametersOf<Operation<P, M>> &
  BodyOf<Operation<P, M>> & { signal?: AbortSignal };

/** The last argument of a request: may be left out if nothing in it is required. */
export type Options<P extends keyof paths, M extends Method> =
  object extends RequestOf<P, M> ? [options?: RequestOf<P, M>] : [options: RequestOf<P, M>];

type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : never;

/** The body that an operation answers. */
export type DataOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? JsonOf<R[keyof R]> : never;

/** Lists that are read in pages, by the cursor of the next one. */
export type PagedPath = {
  [P in PathsOf<'get'>]: DataOf<P, 'get'> extends { next_cursor?: string | null }
    ? 'next_cursor' extends keyof DataOf<P, 'get'>
      ? P
      : never
    : never;
}[PathsOf<'get'>];

type ListsOf<D> = { [K in keyof D]-?: D[K] extends readonly (infer I)[] ? I : never }[keyof D];

/** An item of a list that is read in pages. */
export type ItemOf<P extends PagedPath> = ListsOf<DataOf<P, 'get'>>;

/** Paths of files. */
export type ExportPath = Extract<keyof paths, `/v1/export/${string}`>;

/** An answer with data, and what it says about itself. */
export interface Answer<Data> {
  readonly data: Data;
  /** The slot that the data are as of; null for what is not data of the chain. */
  readonly slot: number | null;
  /** Age of the newest slot in milliseconds. */
  readonly dataAgeMs: number | null;
  /** False if a known gap touches the data; null if that is not said. */
  readonly isComplete: boolean | null;
  readonly requestId: string | null;
  /** Version of the service's API; null if it does not say. */
  readonly apiVersion: string | null;
  /** Null unless something that the request used will go. */
  readonly deprecation: Deprecation | null;
}
