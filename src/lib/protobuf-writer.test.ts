import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.ts';

const { root } = protobuf.parse(`
syntax = "proto3";
message Sample {
  uint64 number = 1;
  bool flag = 2;
  double ratio = 3;
  string text = 4;
  bytes data = 5;
  repeated uint64 numbers = 6;
  repeated string texts = 7;
  optional uint64 count = 8;
  repeated Sample children = 90;
}`);
const Sample = root.lookupType('Sample');

interface Tree {
  readonly number: bigint;
  readonly flag: boolean;
  readonly ratio: number;
  readonly text: string;
  readonly data: Uint8Array;
  readonly numbers: readonly bigint[];
  readonly texts: readonly string[];
  readonly children: readonly Tree[];
}

function write(writer: ProtobufWriter, tree: Tree): void {
  writer.unsigned(1, tree.number);
  writer.flag(2, tree.flag);
  writer.double(3, tree.ratio);
  writer.text(4, tree.text);
  writer.bytes(5, tree.data);
  writer.packed(6, tree.numbers);
  for (const text of tree.texts) writer.entry(7, text);
  for (const child of tree.children) writer.message(90, () => write(writer, child));
}

/** The bytes as a protocol buffers library reads them, in the form that was written. */
function read(bytes: Uint8Array): unknown {
  const options = { longs: String, defaults: true, arrays: true, bytes: Array };
  return Sample.toObject(Sample.decode(bytes), options);
}

function plain(tree: Tree): unknown {
  return {
    ...tree,
    number: String(tree.number),
    data: [...tree.data],
    numbers: tree.numbers.map(String),
    children: tree.children.map(plain),
  };
}

const integers = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const treesOf = (depth: number): fc.Arbitrary<Tree> =>
  fc.record({
    number: integers,
    flag: fc.boolean(),
    ratio: fc.double({ noNaN: true }).map((value) => (value === 0 ? 0 : value)),
    text: fc.string({ unit: 'grapheme', maxLength: 300 }),
    data: fc.uint8Array({ maxLength: 300 }),
    numbers: fc.array(integers, { maxLength: 40 }),
    texts: fc.array(fc.string(), { maxLength: 5 }),
    children: depth === 0 ? fc.constant([]) : fc.array(treesOf(depth - 1), { maxLength: 3 }),
  });

describe('ProtobufWriter', () => {
  test('writes bytes that a protocol buffers library reads back, at any depth and size', () => {
    fc.assert(
      fc.property(treesOf(3), (tree) => {
        const writer = new ProtobufWriter();
        write(writer, tree);
        expect(read(writer.done())).toEqual(plain(tree));
      }),
    );
  });

  test('omits zeros, except where a zero has a meaning', () => {
    const writer = new ProtobufWriter();
    writer.unsigned(1, 0);
    writer.unsigned(1, 0n);
    writer.flag(2, false);
    writer.text(4, '');
    writer.bytes(5, []);
    writer.packed(6, []);
    expect([...writer.done()]).toEqual([]);
    writer.optionalUnsigned(8, 0);
    writer.entry(7, '');
    writer.message(90, () => undefined);
    expect(Buffer.from(writer.done()).toString('hex')).toBe('40003a00d20500');
  });

  test('writes a number like the same bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const [one, other] = [new ProtobufWriter(), new ProtobufWriter()];
        one.unsigned(1, value);
        other.unsigned(1, BigInt(value));
        expect(one.done()).toEqual(other.done());
      }),
    );
  });

  test('rejects integers that exceed 64 bits', () => {
    const writer = new ProtobufWriter();
    expect(() => writer.unsigned(1, -1)).toThrow(RangeError);
    expect(() => writer.unsigned(1, 2n ** 64n)).toThrow('18446744073709551616 is no integer');
  });
});
