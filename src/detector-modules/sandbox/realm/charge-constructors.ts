import type { ChargeTools } from './charge-tools.ts';
import type { Meter } from './create-meter.ts';

/**
 * Replaces constructors of lists and collections by ones that count what they are given. Runs in the
 * realm of a module before its code, so it refers to nothing outside.
 */
export function chargeConstructors(
  { charge, listed }: Meter,
  { apply, sizeOf, replace, counted }: ChargeTools,
): void {
  const first = (all: unknown[]) =>
    all[0] === undefined || all[0] === null ? [] : [listed(all[0])];
  const length = (all: unknown[]) => {
    charge(typeof all[0] === 'number' ? all[0] : sizeOf(all[0]));
    return all;
  };
  counted('Set', first);
  counted('Map', first);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(?:Array|ArrayBuffer|(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array)$/.test(name)) {
      counted(name, length);
    }
  }
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
