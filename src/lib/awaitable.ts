/** A value or a promise of one; the plain value avoids a wait when it is already available. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Calls `use` with the value: synchronously if it is available, otherwise once the promise
 * resolves.
 */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
