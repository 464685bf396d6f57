/**
 * Makes values and all that they lead to unchangeable. Runs in the realm of a module before its code,
 * so it refers to nothing outside.
 */
export function freezeAll(values: readonly unknown[]): void {
  const { freeze, getOwnPropertyDescriptor } = Object;
  const { ownKeys, getPrototypeOf } = Reflect;
  const done = new Set<unknown>();
  const open: unknown[] = [...values];
  while (open.length > 0) {
    const value = open.pop();
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    if (!isObject || done.has(value)) continue;
    done.add(value);
    freeze(value);
    open.push(getPrototypeOf(value as object));
    for (const key of ownKeys(value as object)) {
      const descriptor = getOwnPropertyDescriptor(value as object, key);
      open.push(descriptor?.value, descriptor?.get, descriptor?.set);
    }
  }
}
