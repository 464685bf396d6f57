import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { concat, flag, i128, key, text, u8, u16, u32, u64 } from './borsh-bytes.ts';
import { address } from './build-transaction.ts';
import { testData } from './test-data.ts';

/** A published interface file in one shape: names in snake case, account groups flattened. */
export interface Idl {
  readonly instructions: readonly { readonly name: string; readonly accounts: readonly string[] }[];
  readonly events: readonly { readonly name: string; readonly fields: readonly IdlField[] }[];
}

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
}

type IdlType =
  | string
  | { readonly vec: IdlType }
  | { readonly array: readonly [IdlType, number] }
  | { readonly option: IdlType }
  | { readonly defined: string | { readonly name: string } };

interface RawAccount {
  readonly name: string;
  readonly accounts?: readonly RawAccount[];
}

interface RawIdl {
  readonly instructions: readonly { name: string; accounts: readonly RawAccount[] }[];
  readonly events?: readonly { name: string; fields?: readonly IdlField[] }[];
  readonly types?: readonly { name: string; type: { fields?: readonly IdlField[] } }[];
}

/** The same interface as the Codama tools write it. */
interface CodamaIdl {
  readonly kind: 'rootNode';
  readonly program: {
    readonly instructions: RawIdl['instructions'];
    readonly events?: readonly {
      readonly name: string;
      readonly data: {
        readonly type: { readonly fields: readonly { name: string; type: { kind: string } }[] };
      };
    }[];
  };
}

/** Reads `idl/<file>.json` of the test data, Anchor's form or Codama's. */
export function readIdl(file: string): Idl {
  const json: RawIdl | CodamaIdl = JSON.parse(
    readFileSync(resolve(testData, 'idl', `${file}.json`), 'utf8'),
  );
  const raw = 'kind' in json ? ofCodama(json) : json;
  const fieldsOfType = new Map((raw.types ?? []).map(({ name, type }) => [name, type.fields]));
  return {
    instructions: raw.instructions.map(({ name, accounts }) => ({
      name: snakeCase(name),
      accounts: flatten(accounts).map(snakeCase),
    })),
    events: (raw.events ?? []).map(({ name, fields }) => ({
      name,
      fields: (fields ?? fieldsOfType.get(name) ?? []).map((field) => ({
        ...field,
        name: snakeCase(field.name),
      })),
    })),
  };
}

/** `goToABin` is `go_to_a_bin`: a capital begins a word after a small letter and before one. */
export function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** Codama begins every name with a small letter; events are told apart by their Rust names. */
function ofCodama({ program }: CodamaIdl): RawIdl {
  return {
    instructions: program.instructions,
    events: (program.events ?? []).map(({ name, data }) => ({
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      fields: data.type.fields.map((field) => ({ name: field.name, type: field.type.kind })),
    })),
  };
}

export type IdlValue = bigint | boolean | string;

/**
 * The fields of an event encoded by the types its interface declares. Fields without a value hold
 * something unlike the given ones; vectors hold two elements, so that their lengths matter.
 */
export function encodeEvent(
  idl: Idl,
  name: string,
  values: Readonly<Record<string, IdlValue>>,
): Uint8Array {
  const event = idl.events.find((candidate) => candidate.name === name);
  if (event === undefined) throw new Error(`no event ${name}`);
  return concat(...event.fields.map(({ name: field, type }) => encode(type, values[field])));
}

function encode(type: IdlType, value: IdlValue | undefined): Uint8Array {
  if (typeof type !== 'string') return encodeComposite(type);
  switch (type) {
    case 'u64':
    case 'i64':
      return u64(typeof value === 'bigint' ? value : 0x1122_3344_5566_7788n);
    case 'pubkey':
    case 'publicKey':
      return key(typeof value === 'string' ? value : address('somebody'));
    case 'bool':
      return flag(value === true);
    case 'string':
      return text(typeof value === 'string' ? value : 'some text');
    case 'i128':
      return i128(typeof value === 'bigint' ? value : -0x1122_3344_5566_7788n);
    case 'u8':
      return u8(typeof value === 'bigint' ? Number(value) : 7);
    case 'u16':
      return u16(770);
    default:
      throw new Error(`no encoding for ${type}`);
  }
}

function encodeComposite(type: Exclude<IdlType, string>): Uint8Array {
  if ('vec' in type)
    return concat(u32(2), encode(type.vec, undefined), encode(type.vec, undefined));
  const name = 'defined' in type ? type.defined : null;
  const definedName = typeof name === 'string' ? name : name?.name;
  if (definedName === 'Shareholder') return concat(key(address('shareholder')), u16(5_000));
  throw new Error(`no encoding for ${JSON.stringify(type)}`);
}

function flatten(accounts: readonly RawAccount[]): string[] {
  return accounts.flatMap(({ name, accounts: group }) =>
    group === undefined ? [name] : flatten(group),
  );
}
