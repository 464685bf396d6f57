import type { ChargeTools } from './charge-tools.ts';
import type { Meter } from './create-meter.ts';

/**
 * Replaces built-in methods whose work grows with what they are given by ones that count it. Runs
 * in the realm of a module before its code, so it refers to nothing outside.
 */
export function chargeMethods(
  { charge, passed }: Meter,
  { apply, sizeOf, replace, bySize }: ChargeTools,
): void {
  const methods = (owner: object, free: readonly string[]) => {
    for (const name of Object.getOwnPropertyNames(owner)) {
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
        const counting = (...given: unknown[]) => {
          const made = apply(each as () => unknown, undefined, given);
          charge(sizeOf(made));
          return made;
        };
        return apply(original, this, [counting]);
      },
  );
  const ofLists = ['at', 'pop', 'keys', 'values', 'entries'];
  methods(Array.prototype, [...ofLists, 'push']);
  methods(Object.getPrototypeOf(Uint8Array.prototype), ofLists);
  for (const name of ['repeat', 'padStart', 'padEnd']) {
    replace(
      String.prototype,
      name,
      (original) =>
        function (this: unknown, count, ...rest) {
          charge(Math.abs(Number(count)) * Math.max(1, sizeOf(this)));
          return apply(original, this, [count, ...rest]);
        },
    );
  }
  methods(String.prototype, ['at', 'charAt', 'charCodeAt', 'codePointAt', 'toString', 'valueOf']);
  methods(Set.prototype, ['add', 'has', 'delete', 'keys', 'values', 'entries', 'clear']);
  methods(Map.prototype, ['get', 'set', 'has', 'delete', 'keys', 'values', 'entries', 'clear']);
  methods(Object, ['is']);
  methods(Reflect, ['apply', 'construct', 'get', 'set', 'has']);
  const given: readonly (readonly [object, string, number])[] = [
    [Reflect, 'apply', 2],
    [Reflect, 'construct', 1],
    [Function.prototype, 'apply', 1],
  ];
  for (const [owner, name, place] of given) {
    replace(
      owner,
      name,
      (original) =>
        function (this: unknown, ...all) {
          if (all[place] !== undefined) all[place] = passed(all[place]);
          return apply(original, this, all);
        },
    );
  }
}
