import type { Meter } from './create-meter.ts';

/**
 * Replaces built-in functions whose work grows with what they are given by ones that count it. Runs
 * in the realm of a module before its code, so it refers to nothing outside.
 */
export function chargeBuiltIns({ charge, listed, passed }: Meter): void {
  type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;
  type Methods = Record<string, unknown>;
  const { apply, construct } = Reflect;
  const { getOwnPropertyNames, defineProperty, getOwnPropertyDescriptor } = Object;
  const sizeOf = (value: unknown): number => {
    const { length, size } = Object(value ?? '') as { length?: unknown; size?: unknown };
    if (typeof length === 'number') return length;
    return typeof size === 'number' ? size : 0;
  };
  const replace = (owner: object, name: string, wrap: (original: AnyFunction) => AnyFunction) => {
    const descriptor = getOwnPropertyDescriptor(owner, name);
    if (typeof descriptor?.value !== 'function') return;
    defineProperty(owner, name, { ...descriptor, value: wrap(descriptor.value) });
  };
  /** Charges the size of what it is called on, and of each argument. */
  const bySize = (original: AnyFunction): AnyFunction =>
    function (this: unknown, ...given) {
      let work = sizeOf(this);
      for (let at = 0; at < given.length; at++) work += sizeOf(given[at]);
      charge(work);
      return apply(original, this, given);
    };
  const methods = (owner: object, free: readonly string[]) => {
    for (const name of getOwnPropertyNames(owner)) {
      if (name !== 'constructor' && !free.includes(name)) replace(owner, name, bySize);
    }
  };
  // A flat list of a list that contains itself twice, and again, is never done.
  replace(
    Array.prototype,
    'flat',
    (original) =>
      function (this: unknown, depth) {
        if (depth !== undefined && depth !== 1) throw new TypeError('flat takes one level only.');
        for (const item of this as unknown[]) charge(sizeOf(item));
        return apply(original, this, []);
      },
  );
  replace(
    Array.prototype,
    'flatMap',
    (original) =>
      function (this: unknown, each) {
        const counted = (...given: unknown[]) => listed(apply(each as AnyFunction, undefined, given));
        return apply(original, this, [
          (...given: unknown[]) => {
            const made = apply(each as AnyFunction, undefined, given);
            return Array.isArray(made) ? counted === null || listed(made) : made;
          },
        ]);
      },
  );
  methods(Array.prototype, ['at', 'push', 'pop', 'keys', 'values', 'entries']);
  const grow = (original: AnyFunction): AnyFunction =>
    function (this: unknown, count, ...rest) {
      charge(Math.abs(Number(count)) * Math.max(1, sizeOf(this)));
      return apply(original, this, [count, ...rest]);
    };
  for (const name of ['repeat', 'padStart', 'padEnd']) replace(String.prototype, name, grow);
  methods(String.prototype, ['at', 'charAt', 'charCodeAt', 'codePointAt', 'toString', 'valueOf']);
  methods(Set.prototype, ['add', 'has', 'delete', 'keys', 'values', 'entries', 'clear']);
  methods(Map.prototype, ['get', 'set', 'has', 'delete', 'keys', 'values', 'entries', 'clear']);
  methods(Object, ['is']);
  methods(Reflect, ['apply', 'construct', 'get', 'set', 'has']);
  for (const [owner, name, at] of [
    [Reflect as unknown as Methods, 'apply', 2],
    [Reflect as unknown as Methods, 'construct', 1],
    [Function.prototype as unknown as Methods, 'apply', 1],
  ] as const) {
    replace(
      owner,
      name,
      (original) =>
        function (this: unknown, ...given) {
          if (given[at] !== undefined) given[at] = passed(given[at]);
          return apply(original, this, given);
        },
    );
  }
  /** A constructor that counts what it is given, as new Set(list) or new Array(length). */
  const counted = (name: 'Set' | 'Map' | 'Array', work: (given: unknown[]) => unknown[]) => {
    const Original = globalThis[name] as unknown as AnyFunction & (new () => object);
    const Counted = function (this: unknown, ...given: unknown[]) {
      return construct(Original, work(given), new.target ?? Original);
    };
    for (const key of Reflect.ownKeys(Original)) {
      const descriptor = getOwnPropertyDescriptor(Original, key);
      if (descriptor !== undefined && key !== 'name' && key !== 'length') {
        defineProperty(Counted, key, descriptor);
      }
    }
    defineProperty(Original.prototype, 'constructor', { value: Counted });
    defineProperty(globalThis, name, { value: Counted });
  };
  const first = (given: unknown[]) =>
    given[0] === undefined || given[0] === null ? [] : [listed(given[0])];
  counted('Set', first);
  counted('Map', first);
  counted('Array', (given) => {
    if (given.length === 1 && typeof given[0] === 'number') charge(given[0]);
    return given;
  });
  replace(
    Array,
    'from',
    (original) =>
      function (this: unknown, items, ...rest) {
        const iterates = items !== null && items !== undefined && Symbol.iterator in Object(items);
        if (!iterates) charge(sizeOf(items));
        return apply(original, Array, [iterates ? listed(items) : items, ...rest]);
      },
  );
}
