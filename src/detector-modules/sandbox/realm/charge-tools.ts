import type { Meter } from './create-meter.ts';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;

/** What built-in functions are replaced with. */
export interface ChargeTools {
  readonly apply: typeof Reflect.apply;
  /** Members of a list, a text or a collection; 0 of anything else. */
  readonly sizeOf: (value: unknown) => number;
  readonly replace: (
    owner: object,
    name: string,
    wrap: (original: AnyFunction) => AnyFunction,
  ) => void;
  /** Charges the size of what a function is called on, of each argument, and of a list that it makes. */
  readonly bySize: (original: AnyFunction) => AnyFunction;
  /** Replaces a constructor by one whose arguments pass through `work`, which charges for them. */
  readonly counted: (name: string, work: (given: unknown[]) => unknown[]) => void;
}

/** Runs in the realm of a module before its code, so it refers to nothing outside. */
export function chargeTools({ charge }: Meter): ChargeTools {
  const { apply, construct, ownKeys } = Reflect;
  const { isArray } = Array;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const { Map: Maps, Set: Sets } = globalThis;
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string' || isArray(value)) return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    try {
      if (value instanceof Maps || value instanceof Sets) return value.size;
      // Methods of lists take whatever has a length.
      const { length } = value as { readonly length?: unknown };
      return typeof length === 'number' ? length : 0;
    } catch {
      // A prototype, which has no size of its own.
      return 0;
    }
  };
  return {
    apply,
    sizeOf,
    replace(owner, name, wrap) {
      const descriptor = getOwnPropertyDescriptor(owner, name);
      if (typeof descriptor?.value !== 'function') return;
      defineProperty(owner, name, { ...descriptor, value: wrap(descriptor.value) });
    },
    bySize: (original) =>
      function (this: unknown, ...given) {
        let work = sizeOf(this);
        for (let at = 0; at < given.length; at++) work += sizeOf(given[at]);
        charge(work);
        const result = apply(original, this, given);
        if (isArray(result)) charge(result.length);
        return result;
      },
    // The prototype keeps its own constructor: with another, V8 gives up short ways for lists in all
    // realms of the thread.
    counted(name, work) {
      const Original = (globalThis as unknown as Record<string, new () => object>)[name];
      if (Original === undefined) return;
      const Counted = function (this: unknown, ...given: unknown[]) {
        return construct(Original, work(given), new.target ?? Original);
      };
      // Constructors of typed lists inherit `from` and `of`.
      setPrototypeOf(Counted, getPrototypeOf(Original));
      for (const key of ownKeys(Original)) {
        const descriptor = getOwnPropertyDescriptor(Original, key);
        if (descriptor !== undefined && key !== 'name' && key !== 'length') {
          defineProperty(Counted, key, descriptor);
        }
      }
      defineProperty(globalThis, name, { value: Counted });
    },
  };
}
