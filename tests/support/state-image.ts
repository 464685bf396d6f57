import { TopHolders } from '../../src/fold/market/top-holders.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';

/**
 * Everything that is reachable from an object, as lines of text: every field of every object,
 * including those of classes, and which references lead to the same object. Two states behave alike
 * for any later code when their images are equal. Maps and Sets of texts are listed in sorted
 * order, as nothing may depend on theirs; arrays and other Sets in their own. A tree of holders is
 * listed by its order, because its shape depends on its history and affects no answer; its balance
 * is checked. Undo logs are listed by their sizes.
 */
export function stateImage(root: object): string[] {
  const walk = new Walk();
  walk.write('', root);
  return walk.lines;
}

/** The first line in which two images differ, null when they are equal; whole images are long. */
export function firstDifference(one: readonly string[], other: readonly string[]): string | null {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index++) {
    if (one[index] !== other[index]) return `${one[index]} | ${other[index]}`;
  }
  return null;
}

class Walk {
  readonly lines: string[] = [];
  private readonly names = new Map<object, number>();

  write(path: string, value: unknown): void {
    if (typeof value === 'function') return;
    if (typeof value === 'bigint') this.lines.push(`${path} = ${value}n`);
    else if (typeof value !== 'object' || value === null) {
      this.lines.push(`${path} = ${typeof value === 'string' ? JSON.stringify(value) : value}`);
    } else this.tellObject(path, value);
  }

  private tellObject(path: string, value: object): void {
    const known = this.names.get(value);
    if (known !== undefined) {
      this.lines.push(`${path} = #${known}`);
      return;
    }
    const name = this.names.size;
    this.names.set(value, name);
    this.lines.push(`${path} = #${name} ${value.constructor?.name ?? 'without a class'}`);
    if (value instanceof UndoLog) this.lines.push(`${path} holds ${value.size}`);
    else if (value instanceof Uint8Array) {
      this.lines.push(
        `${path} has ${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`,
      );
    } else if (value instanceof Map) this.tellMap(path, value);
    else if (value instanceof Set) this.tellSet(path, value);
    else if (value instanceof TopHolders) this.tellOrder(path, value);
    else if (Array.isArray(value)) {
      this.lines.push(`${path} has ${value.length}`);
      for (const [index, item] of value.entries()) this.write(`${path}[${index}]`, item);
    } else this.tellFields(path, value as Readonly<Record<string, unknown>>);
  }

  private tellFields(path: string, record: Readonly<Record<string, unknown>>): void {
    const isTreeNode = 'isOut' in record;
    for (const name of Object.keys(record).sort()) {
      if (isTreeNode && ['left', 'right', 'size'].includes(name)) continue;
      this.write(`${path}.${name}`, record[name]);
    }
  }

  private tellMap(path: string, map: ReadonlyMap<unknown, unknown>): void {
    const keys = [...map.keys()];
    for (const key of sorted(keys, path)) this.write(`${path}<${key}>`, map.get(key));
  }

  private tellSet(path: string, set: ReadonlySet<unknown>): void {
    const values = [...set];
    const isPlain = values.every((value) => typeof value !== 'object');
    for (const value of isPlain ? sorted(values, path) : values) this.write(`${path}<>`, value);
  }

  private tellOrder(path: string, order: TopHolders): void {
    const nodes = order.first(Number.POSITIVE_INFINITY);
    if (nodes.length !== order.size) throw new Error(`${path} does not know its size`);
    for (const node of nodes) {
      const { left, right, size } = node;
      const [leftSize, rightSize] = [left?.size ?? 0, right?.size ?? 0];
      if (size !== leftSize + rightSize + 1) throw new Error(`sizes under ${path}`);
      // The weights that Hirai and Yamamoto prove to be preserved by insertions and removals.
      if (leftSize + 1 > 3 * (rightSize + 1) || rightSize + 1 > 3 * (leftSize + 1)) {
        throw new Error(`${path} is out of balance`);
      }
      this.lines.push(`${path} then ${node.owner} ${node.balanceRaw}`);
    }
  }
}

/** Sorted texts or numbers; other keys have no order. */
function sorted(values: readonly unknown[], path: string): (string | number)[] {
  const isOrdered = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  if (!values.every(isOrdered)) throw new Error(`keys of ${path}`);
  return (values as (string | number)[]).toSorted((one, other) => (one < other ? -1 : 1));
}
