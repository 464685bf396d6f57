import type { RealmJson } from './bridge-reading.ts';
import type { Meter } from './create-meter.ts';

/** Bounds of what a detector returns, whatever it is. */
export interface TextLimits {
  readonly depthMax: number;
  readonly valuesMax: number;
  readonly charactersMax: number;
}

/**
 * The value of a module as JSON with `{"bigint": "…"}`. Runs in the realm of the module, as getters
 * may, so it refers to nothing outside. Throws an Error that says what cannot be written, and where.
 */
export function plainText(
  value: unknown,
  limits: TextLimits,
  json: RealmJson,
  { charge }: Meter,
): string {
  const { isArray } = Array;
  const { keys, getPrototypeOf } = Object;
  let values = 0;
  let text = '';
  const add = (part: string): void => {
    text += part;
    if (text.length > limits.charactersMax) {
      throw new Error(`It has more than ${limits.charactersMax} characters.`);
    }
  };
  const quoted = (part: string): string => {
    if (part.length > limits.charactersMax) {
      throw new Error(`It has more than ${limits.charactersMax} characters.`);
    }
    return json.stringify(part);
  };
  const writeList = (items: readonly unknown[], path: string, depth: number): void => {
    add('[');
    for (let at = 0; at < items.length; at++) {
      if (at > 0) add(',');
      write(items[at], `${path}[${at}]`, depth + 1);
    }
    add(']');
  };
  const writeObject = (item: object, path: string, depth: number): void => {
    const prototype = getPrototypeOf(item);
    if (prototype !== null && getPrototypeOf(prototype) !== null) {
      throw new Error(`${path} is no plain object.`);
    }
    const names = keys(item);
    add('{');
    for (let at = 0; at < names.length; at++) {
      const name = names[at] ?? '';
      if (at > 0) add(',');
      add(quoted(name));
      add(':');
      write((item as Record<string, unknown>)[name], `${path}.${name.slice(0, 50)}`, depth + 1);
    }
    add('}');
  };
  const scalar = (item: unknown, path: string): string => {
    if (item === null || typeof item === 'boolean') return `${item}`;
    if (typeof item === 'string') return quoted(item);
    if (typeof item === 'bigint') return `{"bigint":"${item}"}`;
    if (typeof item !== 'number') {
      throw new Error(`${path} is ${item === undefined ? 'undefined' : `a ${typeof item}`}.`);
    }
    if (item - item !== 0) throw new Error(`${path} is ${item}, which is no figure.`);
    return `${item}`;
  };
  const write = (item: unknown, path: string, depth: number): void => {
    charge(1);
    if (++values > limits.valuesMax) {
      throw new Error(`It has more than ${limits.valuesMax} values.`);
    }
    if (depth > limits.depthMax) throw new Error(`${path} is too deep.`);
    if (isArray(item)) writeList(item, path, depth);
    else if (typeof item === 'object' && item !== null) writeObject(item, path, depth);
    else add(scalar(item, path));
  };
  write(value, 'the answer', 0);
  return text;
}
