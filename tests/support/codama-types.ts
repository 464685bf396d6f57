import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { concat, flag, hex, key, text, u8, u16, u32, u64 } from './borsh-bytes.ts';
import { testData } from './test-data.ts';

/** A type of a Codama interface file, reduced to what the encoder below uses. */
interface TypeNode {
  readonly kind: string;
  readonly name?: string;
  readonly format?: string;
  readonly size?: unknown;
  readonly type?: TypeNode;
  readonly item?: TypeNode;
  readonly items?: readonly TypeNode[];
  readonly fields?: readonly { readonly name: string; readonly type: TypeNode }[];
  readonly variants?: readonly VariantNode[];
}

interface VariantNode {
  readonly name: string;
  readonly struct?: TypeNode;
  readonly tuple?: TypeNode;
}

/** A struct is an object, an option null or its value, an enum its variant's name or [name, content], bytes are hex. */
export type CodamaValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly CodamaValue[]
  | { readonly [field: string]: CodamaValue };

export type CodamaEncoder = (typeName: string, value: CodamaValue) => Uint8Array;

/** An encoder for the types that `idl/<file>.json` of the test data declares. */
export function readCodamaTypes(file: string): CodamaEncoder {
  const { program } = JSON.parse(readFileSync(resolve(testData, 'idl', `${file}.json`), 'utf8'));
  const declared: readonly { name: string; type: TypeNode }[] = program.definedTypes;
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  const typeNamed = (name: string): TypeNode => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`no type ${name}`);
    return type;
  };
  const encode = (node: TypeNode, value: CodamaValue): Uint8Array => {
    switch (node.kind) {
      case 'definedTypeLinkNode':
        return encode(typeNamed(node.name ?? ''), value);
      case 'structTypeNode':
        return concat(...(node.fields ?? []).map((f) => encode(f.type, fieldOf(value, f.name))));
      case 'optionTypeNode':
        return value === null ? u8(0) : concat(u8(1), encode(inner(node.item), value));
      case 'arrayTypeNode':
        return concat(
          u32(list(value).length),
          ...list(value).map((v) => encode(inner(node.item), v)),
        );
      case 'tupleTypeNode':
        return concat(
          ...(node.items ?? []).map((item, at) => encode(item, list(value)[at] ?? null)),
        );
      case 'enumTypeNode':
        return encodeVariant(node, value, encode);
      default:
        return encodeScalar(node, value);
    }
  };
  return (name, value) => encode(typeNamed(name), value);
}

function encodeVariant(
  node: TypeNode,
  value: CodamaValue,
  encode: (node: TypeNode, value: CodamaValue) => Uint8Array,
): Uint8Array {
  const [name, content = null] = typeof value === 'string' ? [value] : list(value);
  const variants = node.variants ?? [];
  const index = variants.findIndex((variant) => variant.name === name);
  if (index < 0) throw new Error(`no variant ${String(name)}`);
  const body = variants[index]?.struct ?? variants[index]?.tuple;
  return body === undefined ? u8(index) : concat(u8(index), encode(body, content));
}

function encodeScalar(node: TypeNode, value: CodamaValue): Uint8Array {
  switch (node.format ?? node.kind) {
    case 'u8':
      return u8(Number(value));
    case 'u16':
      return u16(Number(value));
    case 'u64':
      return u64(BigInt(Number(value)));
    case 'booleanTypeNode':
      return flag(value === true);
    case 'publicKeyTypeNode':
      return key(String(value));
    case 'sizePrefixTypeNode':
      return text(String(value));
    case 'fixedSizeTypeNode':
      return hex(String(value));
    default:
      throw new Error(`no encoding for ${node.kind}`);
  }
}

function fieldOf(value: CodamaValue, name: string): CodamaValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error(`no fields where ${name} is wanted`);
  }
  const field = (value as { readonly [name: string]: CodamaValue })[name];
  if (field === undefined) throw new Error(`no value for ${name}`);
  return field;
}

function list(value: CodamaValue): readonly CodamaValue[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${String(value)}`);
  return value;
}

function inner(node: TypeNode | undefined): TypeNode {
  if (node === undefined) throw new Error('a type without its item');
  return node;
}
