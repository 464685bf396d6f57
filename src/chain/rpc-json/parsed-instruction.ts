import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../model/program.ts';
import { ByteWriter } from './byte-writer.ts';
import { isObject, type JsonObject } from './json-value.ts';
import { argumentBytes } from './parsed-arguments.ts';
import type { ParsedAccount, ParsedLayout, ParsedLayouts } from './parsed-layout.ts';
import { ASSOCIATED_TOKEN_LAYOUTS, SYSTEM_LAYOUTS, TOKEN_LAYOUTS } from './parsed-layouts.ts';

/** Accounts by address, in the program's order, and the instruction data. */
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
 * Rebuilds the bytes and the account order of an instruction that the RPC node has parsed, so one
 * decoder serves every encoding. Null for an unknown program or instruction type, and when a field
 * is missing: such an instruction stays unknown. A memo's signers are not in the record.
 */
export function rebuildInstruction(programId: string, parsed: unknown): RebuiltInstruction | null {
  if (typeof parsed === 'string') {
    return MEMO_PROGRAMS.has(programId) ? { accounts: [], data: Buffer.from(parsed) } : null;
  }
  if (!isObject(parsed) || !isObject(parsed.info) || typeof parsed.type !== 'string') return null;
  const layouts = LAYOUTS.get(programId);
  if (layouts === undefined) return null;
  if (layouts === TOKEN_LAYOUTS && parsed.type === BATCH) return rebuildBatch(parsed.info);
  return rebuildCall(layouts, parsed.type, parsed.info);
}

function rebuildCall(
  layouts: ParsedLayouts,
  type: string,
  info: JsonObject,
): RebuiltInstruction | null {
  if (!Object.hasOwn(layouts, type)) return null;
  const layout = layouts[type] as ParsedLayout;
  const accounts = accountsOf(layout, info);
  const data = argumentBytes(layout.data, info);
  return accounts === null || data === null ? null : { accounts, data };
}

/** Several calls of a token program in one instruction. Batches do not nest. */
const BATCH = 'batch';
const BATCH_TAG = 255n;
const PART_MAX = 255;

/** The tag, then for each part the number of accounts, the length of its data, and the data. */
function rebuildBatch({ instructions }: JsonObject): RebuiltInstruction | null {
  if (!Array.isArray(instructions)) return null;
  const accounts: string[] = [];
  const writer = new ByteWriter();
  writer.integer(BATCH_TAG, 1);
  for (const part of instructions) {
    if (!isObject(part) || !isObject(part.info) || typeof part.type !== 'string') return null;
    const call = rebuildCall(TOKEN_LAYOUTS, part.type, part.info);
    if (call === null || call.accounts.length > PART_MAX || call.data.length > PART_MAX)
      return null;
    writer.integer(BigInt(call.accounts.length), 1);
    writer.integer(BigInt(call.data.length), 1);
    writer.raw(call.data);
    accounts.push(...call.accounts);
  }
  return { accounts, data: writer.toBytes() };
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

/**
 * The addresses of one account entry; some entries have none or several. Null when it is missing.
 */
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
