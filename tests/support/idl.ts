import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseInterface } from '../../src/decoders/idl/parse-interface.ts';
import type { ProgramInterface, PublishedEvent } from '../../src/decoders/idl/program-interface.ts';
import { concat, flag, i128, key, text, u8, u16, u32, u64 } from './borsh-bytes.ts';
import { address } from './build-transaction.ts';
import { testData } from './test-data.ts';

/** A published interface file that declares the fields of all its events. */
export interface Idl extends Omit<ProgramInterface, 'events'> {
  readonly events: readonly IdlEvent[];
}

export interface IdlEvent extends Omit<PublishedEvent, 'fields'> {
  readonly fields: readonly IdlField[];
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

/** Reads `idl/<file>.json` of the test data, Anchor's form or Codama's. */
export function readIdl(file: string): Idl {
  const reading = parseInterface(readFileSync(resolve(testData, 'idl', `${file}.json`), 'utf8'));
  if (reading.status === 'refused') throw new Error(`${file}: ${reading.reason}`);
  const { value } = reading;
  return {
    ...value,
    events: value.events.map((event) => ({
      ...event,
      fields: (event.fields ?? []) as readonly IdlField[],
    })),
  };
}

export type IdlValue = bigint | boolean | string;

/**
 * The fields of an event encoded by the types its interface declares. Fields without a value
 * contain something unlike the given values; vectors contain two elements, so that their lengths
 * matter.
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
