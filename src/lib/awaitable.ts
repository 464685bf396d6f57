/** A value, or the promise of one: at once where nothing has to be waited for. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with a value as soon as it is there, without a turn of the loop where it is there already. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
