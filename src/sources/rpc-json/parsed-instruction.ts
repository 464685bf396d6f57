import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../model/program.ts';
import { ByteWriter } from './byte-writer.ts';
import { isObject, type JsonObject, unsigned } from './json-value.ts';
import {
  ASSOCIATED_TOKEN_LAYOUTS,
  AUTHORITY_TYPES,
  EXTENSION_TYPES,
  type ParsedAccount,
  type ParsedArgument,
  type ParsedLayout,
  type ParsedLayouts,
  SYSTEM_LAYOUTS,
  TOKEN_LAYOUTS,
} from './parsed-layouts.ts';

/** Accounts by address, in the program's order, and the data the program was called with. */
export interface RebuiltInstruction {
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

const LAYOUTS = new Map<string, ParsedLayouts>([
  [SYSTEM_PROGRAM, SYSTEM_LAYOUTS],
  [SPL_TOKEN_PROGRAM, TOKEN_LAYOUTS],
  [TOKEN_2022_PROGRAM, TOKEN_LAYOUTS],
  [ASSOCIATED_TOKEN_PROGRAM, ASSOCIATED_TOKEN_LAYOUTS],
]);
const MEMO_PROGRAMS: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

/**
 * Rebuilds the bytes and the account order of an instruction that the RPC node has parsed, so that
 * one decoder serves every encoding. Null for a program or a kind it does not know, and when a
 * field is missing: such an instruction stays unknown. A memo's signers are not in the record.
 */
export function rebuildInstruction(programId: string, parsed: unknown): RebuiltInstruction | null {
  if (typeof parsed === 'string') {
    return MEMO_PROGRAMS.has(programId) ? { accounts: [], data: Buffer.from(parsed) } : null;
  }
  if (!isObject(parsed) || !isObject(parsed.info) || typeof parsed.type !== 'string') return null;
  const layouts = LAYOUTS.get(programId);
  if (layouts === undefined || !Object.hasOwn(layouts, parsed.type)) return null;
  const layout = layouts[parsed.type] as ParsedLayout;
  const accounts = accountsOf(layout, parsed.info);
  const data = dataOf(layout, parsed.info);
  return accounts === null || data === null ? null : { accounts, data };
}

function accountsOf(layout: ParsedLayout, info: JsonObject): string[] | null {
  const accounts: string[] = [];
  for (const account of layout.accounts) {
    const found = accountTexts(account, info);
    if (found === null) return null;
    accounts.push(...found);
  }
  return accounts;
}

/** The addresses of one account entry, none or several for some; null when it is missing. */
function accountTexts(account: ParsedAccount, info: JsonObject): readonly string[] | null {
  const value = account.fields.map((field) => info[field]).find((found) => found !== undefined);
  if (account.isList) return Array.isArray(value) ? value.filter(isText) : [];
  if (!isText(value)) return account.isOptional ? [] : null;
  const repeated = account.unlessSameAs === null ? undefined : info[account.unlessSameAs];
  return value === repeated ? [] : [value];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function dataOf(layout: ParsedLayout, info: JsonObject): Uint8Array | null {
  const writer = new ByteWriter();
  for (const argument of layout.data) {
    if (!writeArgument(writer, argument, info)) return null;
  }
  return writer.toBytes();
}

const INTEGER_BYTES: Readonly<Record<string, number>> = { u8: 1, u16: 2, u32: 4, u64: 8 };

/** False when the record lacks the argument or holds something else. */
function writeArgument(writer: ByteWriter, { source, type }: ParsedArgument, info: JsonObject) {
  const size = INTEGER_BYTES[type];
  if (size !== undefined) return writeInteger(writer, size, source, info);
  if (type === 'hex') {
    writer.raw(Buffer.from(source, 'hex'));
    return true;
  }
  const value = valueAt(info, source) ?? null;
  return type.startsWith('key') ? writeKey(writer, type, value) : writeText(writer, type, value);
}

function writeText(writer: ByteWriter, type: string, value: unknown): boolean {
  switch (type) {
    case 'authority':
      return writeName(writer, AUTHORITY_TYPES, value, 1);
    case 'extension*':
      if (!Array.isArray(value)) return true;
      return value.every((name) => writeName(writer, EXTENSION_TYPES, name, 2));
    case 'field':
      return writeMetadataField(writer, value);
    default:
      if (!isText(value)) return false;
      writer.text(value, type === 'text8' ? 8 : 4);
      return true;
  }
}

/** A key, after a flag byte for `key?`; without one `key?` is the flag 0 and `key0` is zeros. */
function writeKey(writer: ByteWriter, type: string, value: unknown): boolean {
  if (value === null && type === 'key0') {
    writer.raw(new Uint8Array(32));
    return true;
  }
  if (type === 'key?') writer.integer(value === null ? 0n : 1n, 1);
  if (value === null) return type === 'key?';
  return isText(value) && writer.key(value);
}

function writeInteger(writer: ByteWriter, size: number, source: string, info: JsonObject): boolean {
  const value = /^\d+$/.test(source) ? Number(source) : valueAt(info, source);
  if (typeof value !== 'number' && !isText(value)) return false;
  const integer = unsigned(value, source);
  if (integer >= 1n << BigInt(8 * size)) return false;
  writer.integer(integer, size);
  return true;
}

function writeName(
  writer: ByteWriter,
  names: readonly string[],
  name: unknown,
  size: number,
): boolean {
  const index = isText(name) ? names.indexOf(name) : -1;
  if (index < 0) return false;
  writer.integer(BigInt(index), size);
  return true;
}

const METADATA_FIELDS = ['name', 'symbol', 'uri'];

/** One of the three fixed fields by number, any other by number 3 and its name. */
function writeMetadataField(writer: ByteWriter, value: unknown): boolean {
  if (!isText(value)) return false;
  const index = METADATA_FIELDS.indexOf(value);
  writer.integer(BigInt(index < 0 ? METADATA_FIELDS.length : index), 1);
  if (index < 0) writer.text(value, 4);
  return true;
}

function valueAt(info: JsonObject, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return info[path];
  const outer = info[path.slice(0, dot)];
  return isObject(outer) ? outer[path.slice(dot + 1)] : undefined;
}
