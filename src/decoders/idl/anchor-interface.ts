/**
 * Anchor's IDL. Since 0.30 (https://www.anchor-lang.com/docs/basics/idl), instructions and events
 * state their discriminators, and the fields of an event are in the type of the same name. Before
 * that, names are in camel case, discriminators are derived, and an event contains its fields.
 * Shank, which writes the same form for programs without Anchor, adds `discriminant: { type: 'u8',
 * value }`.
 */
import { InterfaceError } from './interface-error.ts';
import {
  asHexOfBytes,
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
export function readAnchorInterface(root: Fields): ProgramInterface {
  const fieldsOfType = readTypes(root.types);
  const metadata = typeof root.metadata === 'object' ? (root.metadata as Fields | null) : null;
  return {
    address: textOrNull(root.address) ?? textOrNull(metadata?.address),
    instructions: asList(root.instructions, 'instructions', ENTRIES_MAX).map(readInstruction),
    events: asList(root.events, 'events', ENTRIES_MAX).map((event, index) =>
      readEvent(event, `events[${index}]`, fieldsOfType),
    ),
  };
}

function readInstruction(value: unknown, index: number): PublishedInstruction {
  const where = `instructions[${index}]`;
  const { name, discriminator, discriminant, accounts } = asObject(value, where);
  const flat: string[] = [];
  flatten(accounts, `${where}.accounts`, flat);
  return {
    name: snakeCase(asName(name, where)),
    discriminator:
      discriminator === undefined
        ? numberedDiscriminator(discriminant)
        : asHexOfBytes(discriminator, `${where}.discriminator`),
    accounts: flat,
  };
}

/** The single-byte discriminator of Shank. */
function numberedDiscriminator(discriminant: unknown): string | null {
  if (typeof discriminant !== 'object' || discriminant === null) return null;
  const { type, value } = discriminant as Fields;
  if (type !== 'u8' || typeof value !== 'number' || value >> 8 !== 0) return null;
  return value.toString(16).padStart(2, '0');
}

function flatten(value: unknown, where: string, into: string[]): void {
  for (const item of asList(value, where, PARTS_MAX)) {
    const { name, accounts } = asObject(item, `an entry of ${where}`);
    if (accounts !== undefined) flatten(accounts, where, into);
    else into.push(snakeCase(asName(name, `an entry of ${where}`)));
    if (into.length > PARTS_MAX) throw new InterfaceError(`${where} has too many entries`);
  }
}

function readTypes(value: unknown): ReadonlyMap<string, readonly PublishedField[]> {
  const types = new Map<string, readonly PublishedField[]>();
  for (const [index, item] of asList(value, 'types', ENTRIES_MAX).entries()) {
    const where = `types[${index}]`;
    const { name, type } = asObject(item, where);
    const { kind, fields } = asObject(type, `${where}.type`);
    if (kind !== 'struct' || typeof name !== 'string') continue;
    const named = readFields(fields, `${where}.fields`);
    if (named !== null) types.set(name, named);
  }
  return types;
}

/** Null for unnamed fields. */
function readFields(value: unknown, where: string): PublishedField[] | null {
  const fields: PublishedField[] = [];
  for (const item of asList(value, where, PARTS_MAX)) {
    if (typeof item !== 'object' || item === null || !('name' in item)) return null;
    const { name, type } = item as Fields;
    fields.push({ name: snakeCase(asName(name, `an entry of ${where}`)), type });
  }
  return fields;
}

function readEvent(
  value: unknown,
  where: string,
  fieldsOfType: ReadonlyMap<string, readonly PublishedField[]>,
): PublishedEvent {
  const { name, discriminator, fields } = asObject(value, where);
  const text = asName(name, where);
  return {
    name: text,
    discriminator:
      discriminator === undefined ? null : asHexOfBytes(discriminator, `${where}.discriminator`),
    fields:
      fields === undefined
        ? (fieldsOfType.get(text) ?? null)
        : readFields(fields, `${where}.fields`),
  };
}
