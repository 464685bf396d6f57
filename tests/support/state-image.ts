import { isTypedArray } from 'node:util/types';
import { ObjectMap } from '../../src/lib/object-map.ts';
import { CellTable } from '../../src/lib/pages/cell-table.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { PageSpace } from '../../src/lib/pages/page-space.ts';
import { StateValue } from '../../src/lib/state-value.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import { sumsOf } from './page-sums.ts';

type Token = string | number | bigint | boolean | symbol | null | undefined;

/**
 * A state as a list of values: no beginning of one image can be read as that of another state. The
 * depth of each value below the root tells the names that lead to it.
 */
export interface StateImage {
  readonly tokens: readonly Token[];
  readonly depths: readonly number[];
}

/** Begin what is no plain value, so that no text or number is mistaken for it. */
const [NEW, KNOWN, FUNCTION] = [Symbol('new'), Symbol('known'), Symbol('function')];

/**
 * Everything that is reachable from an object: every field of every object, including those of
 * classes, and which references lead to the same object. Two states behave alike for any later code
 * when their images are equal. Maps and Sets of texts are listed in sorted order, as nothing may
 * depend on theirs; arrays and other Sets in their own. Undo logs are listed by their sizes, pools
 * of pages by the sums of their contents, single values without what is known of their storage.
 */
export function stateImage(root: object): StateImage {
  const walk = new Walk();
  walk.write(0, root);
  return walk;
}

/** The first value in which two images differ, null when they are equal. */
export function firstDifference(one: StateImage, other: StateImage): string | null {
  const length = Math.max(one.tokens.length, other.tokens.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.tokens[index], other.tokens[index]];
    if (left === right || (Number.isNaN(left) && Number.isNaN(right))) continue;
    return `${pathTo(one, index)} = ${String(left)} | ${pathTo(other, index)} = ${String(right)}`;
  }
  return one.tokens.length === other.tokens.length ? null : 'one is longer';
}

/** The names of the fields that lead to a value. */
function pathTo({ tokens, depths }: StateImage, index: number): string {
  const names: string[] = [];
  let depth = depths[index] ?? 0;
  for (let at = index - 1; at >= 0; at--) {
    const above = depths[at] as number;
    if (above >= depth) continue;
    names.unshift(String(tokens[at]));
    depth = above;
  }
  return names.join('.');
}

class Walk implements StateImage {
  readonly tokens: Token[] = [];
  readonly depths: number[] = [];
  private readonly names = new Map<object, number>();

  write(depth: number, value: unknown): void {
    if (typeof value === 'function') this.push(depth, FUNCTION);
    else if (typeof value === 'object' && value !== null) this.writeObject(depth, value);
    else this.push(depth, value as Token);
  }

  private push(depth: number, token: Token): void {
    this.tokens.push(token);
    this.depths.push(depth);
  }

  private writeObject(depth: number, value: object): void {
    const known = this.names.get(value);
    if (known !== undefined) {
      this.push(depth, KNOWN);
      this.push(depth, known);
      return;
    }
    this.names.set(value, this.names.size);
    this.push(depth, NEW);
    this.push(depth, value.constructor?.name);
    if (value instanceof UndoLog) this.push(depth, value.size);
    else if (value instanceof PagePool) this.push(depth, sumsOf(value));
    else if (isPartOfPool(value)) return;
    else if (value instanceof StateValue) this.write(depth, value.now);
    else if (isTypedArray(value)) this.push(depth, bytesOf(value));
    else if (value instanceof Map) this.writeMap(depth, value);
    else if (value instanceof Set) this.writeSet(depth, value);
    else if (Array.isArray(value)) this.writeItems(depth, value);
    else this.writeFields(depth, value as Readonly<Record<string, unknown>>);
  }

  private writeFields(depth: number, record: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(record).sort();
    this.push(depth, names.length);
    for (const name of names) {
      this.push(depth, name);
      this.write(depth + 1, record[name]);
    }
  }

  private writeItems(depth: number, items: readonly unknown[]): void {
    this.push(depth, items.length);
    for (const item of items) this.write(depth + 1, item);
  }

  private writeMap(depth: number, map: ReadonlyMap<unknown, unknown>): void {
    this.push(depth, map.size);
    for (const key of this.sorted([...map.keys()])) {
      this.push(depth, key);
      this.write(depth + 1, map.get(key));
    }
  }

  private writeSet(depth: number, set: ReadonlySet<unknown>): void {
    const values = [...set];
    const isPlain = values.every((value) => typeof value !== 'object');
    this.writeItems(depth, isPlain ? this.sorted(values) : values);
  }

  /** Sorted texts or numbers; other keys have no order. */
  private sorted(values: readonly unknown[]): (string | number)[] {
    const isOrdered = (value: unknown) => typeof value === 'string' || typeof value === 'number';
    if (!values.every(isOrdered)) throw new Error(`keys of ${this.newest()}`);
    return (values as (string | number)[]).toSorted((one, other) => (one < other ? -1 : 1));
  }

  /** Where the newest value is. */
  private newest(): string {
    return pathTo(this, this.tokens.length - 1);
  }
}

/** The bytes as a text of as many characters, which is copied and compared as fast as memory. */
function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Contents of a pool's pages and objects, which are walked as the sums of the pool. */
function isPartOfPool(value: object): boolean {
  return [PageSpace, CellTable, ObjectMap, StateValue].some((each) => value instanceof each);
}
