import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copiedChunks } from '../../tests/support/copied-chunks.ts';
import { GraphReader } from './graph-reader.ts';
import { describeTypes, GraphError, type GraphTypes } from './graph-types.ts';
import { GraphWriter } from './graph-writer.ts';

/** A node of any graph: its payload and its references. */
class Node {
  payload: unknown = null;
  next: unknown = null;
}

/** Keeps the values from `create`, and is referenced by other objects. */
class Owner {
  readonly journal = { note: () => 'noted' };
  guest: unknown = null;
}

const shared = { name: 'shared', size: 0 };
const types: GraphTypes = {
  classes: [
    { name: 'Node', create: () => new Node() },
    { name: 'Owner', create: () => new Owner(), kept: ['journal'] },
  ],
  records: [
    { name: 'Pair', fields: { one: 'always', other: 'always' } },
    { name: 'Named', fields: { name: 'always', size: 'always', note: 'optional' } },
    { name: 'Owned', fields: { item: 'always', amount: 'always' }, isOwned: true },
  ],
  externals: [shared],
};

function written(root: unknown): Buffer[] {
  return copiedChunks(new GraphWriter(types).write(root));
}

function read(chunks: Iterable<Buffer>): unknown {
  return new GraphReader(types, chunks).read();
}

const roundTrip = (root: unknown) => read(written(root));

const primitive = fc.oneof(
  fc.constantFrom(undefined, null, true, false, Number.NaN, -0, 0, Infinity, -Infinity),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.bigInt(),
  fc.bigInt({ min: -(2n ** 400n), max: 2n ** 400n }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 20 }),
);

const value = fc.oneof(primitive, fc.uint8Array({ maxLength: 50 }));

/** Objects of every kind with references among them: arbitrary graphs, including cycles. */
const graph = fc
  .record({
    kinds: fc.array(fc.constantFrom('node', 'pair', 'named', 'array', 'map', 'set'), {
      minLength: 1,
      maxLength: 30,
    }),
    links: fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(), value), fc.boolean()), {
      maxLength: 80,
    }),
  })
  .map(({ kinds, links }) => {
    const objects = kinds.map(emptyOf);
    for (const [index, [from, to, isReference]] of links.entries()) {
      const object = objects[from % objects.length];
      const value = isReference && typeof to === 'number' ? objects[to % objects.length] : to;
      link(object, index, value);
    }
    return objects;
  });

function emptyOf(kind: string): object {
  if (kind === 'node') return new Node();
  if (kind === 'pair') return { one: null, other: null };
  if (kind === 'named') return { name: 'named', size: -1 };
  if (kind === 'array') return [];
  return kind === 'map' ? new Map() : new Set();
}

function link(object: unknown, index: number, value: unknown): void {
  if (object instanceof Node) {
    if (index % 2 === 0) object.payload = value;
    else object.next = value;
  } else if (Array.isArray(object)) object.push(value);
  else if (object instanceof Map) {
    if (index % 2 === 0) object.set(`key ${index % 5}`, value);
    else object.set(value, index);
  } else if (object instanceof Set) object.add(value);
  else if (typeof object === 'object' && object !== null) {
    Object.assign(object, 'one' in object ? { one: value } : { size: value, note: 'noted' });
  }
}

/** All reachable objects as lines, each with a number: equal for equal graphs only. */
function describeGraph(root: unknown): string[] {
  const lines: string[] = [];
  const ids = new Map<object, number>();
  const name = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) {
      return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;
    }
    const known = ids.get(value);
    if (known !== undefined) return `#${known}`;
    ids.set(value, ids.size);
    pending.push(value);
    return `new #${ids.size - 1} ${value.constructor.name}`;
  };
  const pending: object[] = [];
  lines.push(name(root));
  for (let index = 0; index < pending.length; index++) {
    const object = pending[index] as object;
    const entries =
      object instanceof Map || object instanceof Set ? [...object] : Object.entries(object);
    for (const entry of entries) lines.push([entry].flat().map(name).join(' = '));
    lines.push(`end of #${index}, ${entries.length}`);
  }
  return lines;
}

describe('a graph that was written and read', () => {
  test('has the same values, references, cycles and order', () => {
    fc.assert(
      fc.property(graph, (objects) => {
        expect(describeGraph(roundTrip(objects))).toEqual(describeGraph(objects));
      }),
      { numRuns: 1_000 },
    );
  });

  test('is written to the same bytes again', () => {
    fc.assert(
      fc.property(graph, (objects) => {
        const bytes = Buffer.concat(written(objects));
        expect(Buffer.concat(written(roundTrip(objects))).equals(bytes)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('distinguishes negative zero, lone surrogates and integers beyond 53 bits', () => {
    const values = [-0, 0, 'a\ud800b', 2 ** 53, 2n ** 53n, -(2n ** 53n), 2n ** 64n, -(2n ** 128n)];
    const back = roundTrip(values) as unknown[];
    expect(back).toHaveLength(values.length);
    for (const [index, value] of values.entries()) expect(Object.is(back[index], value)).toBe(true);
  });

  test('needs no stack for a chain of a million objects', () => {
    let chain: Node | null = null;
    for (let length = 0; length < 1_000_000; length++) {
      const node = new Node();
      node.next = chain;
      chain = node;
    }
    let at = roundTrip(chain) as Node | null;
    let length = 0;
    for (; at !== null; at = at.next as Node | null) length++;
    expect(length).toBe(1_000_000);
  });

  test('is written in chunks of bounded size, however large a Map or a text is', () => {
    const map = new Map<string, bigint>();
    for (let index = 0n; index < 100_000n; index++) map.set(`wallet ${index}`, index ** 5n);
    const long = 'é'.repeat(600_000);
    const chunks = written([map, long]);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_500_000);
    expect(read(chunks)).toEqual([map, long]);
  });
});

describe('bytes in a graph', () => {
  test('are restored once per array, with a buffer of their own', () => {
    const larger = Uint8Array.from({ length: 300 }, (_, index) => index);
    const part = larger.subarray(100, 110);
    const back = roundTrip([part, new Map([['part', part]]), new Uint8Array()]) as [
      Uint8Array,
      Map<string, Uint8Array>,
      Uint8Array,
    ];
    expect([...back[0]]).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    expect(back[0].buffer.byteLength).toBe(10);
    expect(back[1].get('part')).toBe(back[0]);
    expect(back[2]).toEqual(new Uint8Array());
  });

  test('need chunks no longer than the longest array plus 300 KB, for any number of arrays', () => {
    const pages = Array.from({ length: 40 }, (_, page) => new Uint8Array(128 * 1_024).fill(page));
    const huge = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
    const paged = written(pages);
    expect(Math.max(...paged.map(({ length }) => length))).toBeLessThan(430_000);
    expect(read(paged)).toEqual(pages);
    expect(Buffer.from(roundTrip(huge) as Uint8Array).equals(huge)).toBe(true);
  });

  test('are rejected without an allocation if their length exceeds the remaining data', () => {
    const bytes = Buffer.concat(written(new Uint8Array(5)));
    expect([...bytes]).toEqual([20, 5, 0, 0, 0, 0, 0]);
    const huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    for (const length of [[6], [0xff, 0x7f], huge]) {
      const bytes = Buffer.from([20, ...length, 0, 0, 0, 0, 0]);
      expect(() => read([bytes])).toThrow(GraphError);
    }
  });
});

describe('objects of a registered type', () => {
  test('are restored with their class, and records with their fields in order', () => {
    const back = roundTrip([new Node(), { note: 'late', size: 1, name: 'x' }]) as object[];
    expect(back[0]).toBeInstanceOf(Node);
    expect(Object.keys(back[1] ?? {})).toEqual(['note', 'size', 'name']);
  });

  test('that both sides already have remain the same objects', () => {
    const back = roundTrip([shared, [shared]]) as unknown[][];
    expect(back[0]).toBe(shared);
    expect(back[1]?.[0]).toBe(shared);
  });

  test('keep the values from `create`, which others can refer to', () => {
    const owner = new Owner();
    owner.guest = [owner.journal, owner];
    const back = roundTrip(owner) as Owner & { guest: unknown[] };
    expect(back.journal.note()).toBe('noted');
    expect(back.guest[0]).toBe(back.journal);
    expect(back.guest[1]).toBe(back);
  });

  test('that are owned are written inline, and can refer to others', () => {
    const node = new Node();
    const map = new Map([
      ['a', { item: node, amount: 1n }],
      ['b', { item: node, amount: 2n }],
    ]);
    const back = roundTrip([map, node]) as [typeof map, Node];
    expect(back[0]).toEqual(map);
    expect(back[0].get('a')?.item).toBe(back[1]);
    expect(back[0].get('b')?.item).toBe(back[1]);
  });
});

describe('a value that cannot be in a graph', () => {
  test.each([
    [
      'a class that is not registered',
      () => new (class Stranger {})(),
      /class Stranger is not known/,
    ],
    ['a date', () => new Date(0), /class Date is not known/],
    ['a Buffer', () => Buffer.alloc(1), /class Buffer is not known/],
    ['an array of doubles', () => new Float64Array(1), /class Float64Array is not known/],
    ['an object without a class', () => Object.create(null), /class without a name is not known/],
    ['a record with a field too many', () => ({ one: 1, other: 2, third: 3 }), /one, other, third/],
    ['a record with a field too few', () => ({ name: 'x' }), /fields name are not known/],
    ['a function', () => [() => 1], /a function cannot be written/],
    ['a symbol', () => [Symbol('x')], /a symbol cannot be written/],
  ])('is rejected by the writer: %s', (_, make, message) => {
    expect(() => written(make())).toThrow(GraphError);
    expect(() => written(make())).toThrow(message);
  });
});

describe('bytes that are not a graph', () => {
  test('are rejected when truncated at any position', () => {
    const bytes = Buffer.concat(written([new Node(), new Map([['a', 2n ** 90n]]), 1.5, 'text']));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => read([bytes.subarray(0, length)])).toThrow(GraphError);
    }
  });

  test('are rejected when something follows', () => {
    expect(() => read([...written([1]), Buffer.from([0])])).toThrow('bytes are left over');
  });

  test('always give a graph or a GraphError, without memory beyond their size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        try {
          read([Buffer.from(bytes)]);
        } catch (error) {
          expect(error).toBeInstanceOf(GraphError);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the description of types', () => {
  test('changes with each field, class and flag', () => {
    const [node, owner] = types.classes as [(typeof types.classes)[0], (typeof types.classes)[0]];
    const others: GraphTypes[] = [
      { ...types, externals: [] },
      { ...types, classes: [node] },
      { ...types, classes: [owner, node] },
      { ...types, classes: [node, { ...owner, kept: [] }] },
      {
        ...types,
        classes: [{ ...node, create: () => Object.assign(new Node(), { more: 1 }) }, owner],
      },
      { ...types, records: types.records.slice(1) },
      { ...types, records: types.records.map((record) => ({ ...record, isOwned: true })) },
    ];
    const descriptions = [types, ...others].map(describeTypes);
    expect(new Set(descriptions).size).toBe(descriptions.length);
    expect(describeTypes({ ...types })).toBe(descriptions[0]);
  });
});
