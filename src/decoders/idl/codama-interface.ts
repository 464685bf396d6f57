/**
 * Codama's IDL (https://github.com/codama-idl/codama, packages/nodes): a tree of nodes with names
 * in camel case. A discriminator is an argument with a default value or a constant, both at offset
 * 0. Event names begin with a lower-case letter, unlike in Rust.
 */
import { decodeBase58 } from '../../lib/base58.ts';
import {
  asList,
  asName,
  asObject,
  ENTRIES_MAX,
  PARTS_MAX,
  textOrNull,
} from './interface-fields.ts';
import {
  type ProgramInterface,
  type PublishedEvent,
  type PublishedField,
  type PublishedInstruction,
  snakeCase,
} from './program-interface.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Throws InterfaceError. */
export function readCodamaInterface(root: Fields): ProgramInterface {
  const program = asObject(root.program, 'program');
  return {
    address: textOrNull(program.publicKey),
    instructions: asList(program.instructions, 'instructions', ENTRIES_MAX).map(readInstruction),
    events: asList(program.events, 'events', ENTRIES_MAX).map(readEvent),
  };
}

function readInstruction(value: unknown, index: number): PublishedInstruction {
  const where = `instructions[${index}]`;
  const node = asObject(value, where);
  return {
    name: snakeCase(asName(node.name, where)),
    discriminator: discriminatorOf(node, where),
    accounts: asList(node.accounts, `${where}.accounts`, PARTS_MAX).map((account) => {
      const entry = `an entry of ${where}.accounts`;
      return snakeCase(asName(asObject(account, entry).name, entry));
    }),
  };
}

function readEvent(value: unknown, index: number): PublishedEvent {
  const where = `events[${index}]`;
  const node = asObject(value, where);
  const name = asName(node.name, where);
  return {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    discriminator: discriminatorOf(node, where),
    fields: fieldsOf(node.data, where),
  };
}

/** Fields of a struct, or of a struct behind the constant bytes that every event begins with. */
function fieldsOf(data: unknown, where: string): PublishedField[] | null {
  if (typeof data !== 'object' || data === null) return null;
  const { kind, type, fields } = data as Fields;
  if (kind === 'hiddenPrefixTypeNode') {
    const inner = asObject(type, `${where}.data.type`);
    return inner.kind === 'structTypeNode' ? fieldsOf(inner, where) : null;
  }
  if (kind !== 'structTypeNode') return null;
  return asList(fields, `${where}.data.fields`, PARTS_MAX).map((field) => {
    const entry = `an entry of ${where}.data.fields`;
    const node = asObject(field, entry);
    return { name: snakeCase(asName(node.name, entry)), type: node.type };
  });
}

function discriminatorOf(node: Fields, where: string): string | null {
  for (const item of asList(node.discriminators, `${where}.discriminators`, PARTS_MAX)) {
    const { kind, offset, name, constant } = asObject(item, `an entry of ${where}.discriminators`);
    if (offset !== 0) continue;
    if (kind === 'constantDiscriminatorNode') {
      return hexOf(asObject(constant, `${where}.discriminators`).value);
    }
    if (kind === 'fieldDiscriminatorNode') return defaultOf(node.arguments, name, where);
  }
  return null;
}

function defaultOf(value: unknown, name: unknown, where: string): string | null {
  for (const item of asList(value, `${where}.arguments`, PARTS_MAX)) {
    const argument = asObject(item, `an entry of ${where}.arguments`);
    if (argument.name === name) return hexOf(argument.defaultValue);
  }
  return null;
}

/** Bytes, or a number of one byte; null for other values. */
function hexOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, data, encoding, number } = value as Fields;
  if (kind === 'numberValueNode' && Number.isInteger(number) && Number(number) >> 8 === 0) {
    return Number(number).toString(16).padStart(2, '0');
  }
  const text = textOrNull(data);
  if (kind !== 'bytesValueNode' || text === null || text === '') return null;
  if (encoding === 'base16') return /^([0-9a-f]{2})+$/.test(text) ? text : null;
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('hex');
  const bytes = encoding === 'base58' ? decodeBase58(text) : null;
  return bytes === null ? null : Buffer.from(bytes).toString('hex');
}
