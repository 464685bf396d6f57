import type { freezeAll as freezeEach } from './freeze-all.ts';

/**
 * Takes away what would make a judgement depend on more than the case: clocks, randomness, the
 * outside, the language of the machine, memory that is collected at some time, and code made of
 * text. Makes the rest unchangeable, so that nothing is kept from one case to the next. Runs in the
 * realm of a module before its code, so it refers to nothing outside.
 */
export function takeAway({ freezeAll }: { readonly freezeAll: typeof freezeEach }): void {
  type Owner = Record<PropertyKey, unknown>;
  const { getOwnPropertyNames, defineProperty, getPrototypeOf } = Object;
  const kept = new Set([
    ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol'],
    ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Math', 'Reflect', 'NaN', 'Infinity', 'undefined'],
    ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError'],
    ...['ArrayBuffer', 'DataView', 'Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array'],
    ...['Int16Array', 'Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array'],
    ...[
      'BigInt64Array',
      'BigUint64Array',
      'URIError',
      'AggregateError',
      'isNaN',
      'isFinite',
      'parseInt',
      'parseFloat',
    ],
  ]);
  const world = globalThis as unknown as Owner;
  const drop = (owner: object, names: readonly string[]) => {
    for (const name of names) delete (owner as Owner)[name];
  };
  const refuse = (owner: object, name: string, reason: string) =>
    defineProperty(owner, name, {
      get() {
        throw new TypeError(reason);
      },
    });
  const iteration = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object) as object;
  drop(iteration, getOwnPropertyNames(iteration));
  drop(Math, ['random']);
  const ofStrings = ['match', 'matchAll', 'search', 'normalize', 'localeCompare'];
  drop(String.prototype, [...ofStrings, 'toLocaleLowerCase', 'toLocaleUpperCase']);
  for (const { prototype } of [Object, Array, Number, BigInt]) drop(prototype, ['toLocaleString']);
  // The text of a stack has the folders of the machine.
  drop(Error, ['captureStackTrace']);
  (Error as unknown as Owner).stackTraceLimit = 0;
  for (const name of getOwnPropertyNames(world)) if (!kept.has(name)) delete world[name];
  const clock = 'A detector has no clock: the time of a case is mintCase.timeMs.';
  for (const name of ['Date', 'performance']) refuse(world, name, clock);
  const chance = 'A detector has no randomness: the same case must give the same judgements.';
  refuse(world, 'crypto', chance);
  refuse(Math, 'random', chance);
  freezeAll([iteration, ...[...kept].map((name) => world[name])]);
  for (const name of kept) {
    if (name !== 'NaN' && name !== 'Infinity' && name !== 'undefined') {
      defineProperty(world, name, { writable: false, configurable: false });
    }
  }
}
