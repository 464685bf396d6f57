import { basename } from 'node:path';
import { findJsonFault } from '../../lib/json-fault.ts';
import { parseShallow } from '../../lib/json-nesting.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import type { SourceProblem } from '../../model/errors.ts';
import { isConfirmedBlock, readParentSlot } from '../protobuf/confirmed-block.ts';
import { ContentFault, textOf } from './file-content.ts';
import { type FoundRecord, findRecords } from './find-records.ts';
import { type InputFile, isSystemError, systemMessage } from './input-files.ts';
import type { LinePosition } from './line-cursor.ts';

/** One document: a file with JSON or with a protobuf block, or a line of JSON. */
export interface RecordUnit {
  readonly file: InputFile;
  readonly line: LinePosition | null;
}

/** The records of a document, or the reason it cannot be read. */
export type LoadedUnit =
  | {
      readonly status: 'ok';
      readonly records: readonly FoundRecord[];
      /** Length of the text, which approximates the memory of the parsed records. */
      readonly textLength: number;
    }
  | { readonly status: 'fault'; readonly problem: SourceProblem };

/**
 * Parses a document of any kind. The kind follows from the content: no JSON begins like a block.
 */
export function parseContent(unit: RecordUnit, bytes: Buffer, isLossless: boolean): LoadedUnit {
  if (!isConfirmedBlock(bytes)) return parseUnit(unit, textOf(bytes), isLossless);
  const parentSlot = readParentSlot(bytes);
  if (parentSlot.status === 'refused') {
    const { code, position, message } = parentSlot;
    return { status: 'fault', problem: { code, origin: unit.file.origin, position, message } };
  }
  const value = { parentSlot: parentSlot.value };
  const record = { kind: 'block', path: '', value, confirmedBlock: bytes } as const;
  return { status: 'ok', records: [record], textLength: bytes.length };
}

/** Parses a JSON document; with `isLossless` long integers become text. */
export function parseUnit(unit: RecordUnit, text: string, isLossless: boolean): LoadedUnit {
  if (text.trim() === '') return notARecord(unit, 'the file is empty');
  let document: unknown;
  try {
    document = isLossless ? parseLossless(text) : parseShallow(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { status: 'fault', problem: syntaxProblem(unit, text) };
  }
  const { records, rpcError } = findRecords(document);
  if (records.length > 0) return { status: 'ok', records, textLength: text.length };
  return notARecord(unit, rpcError ?? 'contains neither a block nor a transaction');
}

export function notARecord(unit: RecordUnit, message: string): LoadedUnit {
  const position = linePosition(unit);
  const { origin } = unit.file;
  return { status: 'fault', problem: { code: 'not-a-record', origin, position, message } };
}

function syntaxProblem(unit: RecordUnit, text: string): SourceProblem {
  const fault = findJsonFault(text);
  const offset = Buffer.byteLength(text.slice(0, fault?.offset ?? 0));
  const position =
    unit.line === null
      ? `byte ${offset}, line ${fault?.line ?? 1}`
      : `line ${unit.line.number}, byte ${unit.line.offset + offset}`;
  const message = fault?.message ?? 'not JSON';
  return { code: 'not-json', origin: unit.file.origin, position, message };
}

/** `line 12`, or null where the document is a whole file. */
export function linePosition(unit: RecordUnit): string | null {
  return unit.line === null ? null : `line ${unit.line.number}`;
}

/** Turns faults of the input into problems; anything else is a bug and is thrown again. */
export function problemOf(file: InputFile, error: unknown): SourceProblem {
  const { origin } = file;
  if (error instanceof ContentFault) {
    const { code, position, message } = error;
    return { code, origin, position, message };
  }
  if (!isSystemError(error)) throw error;
  return { code: 'unreadable', origin, position: null, message: systemMessage(error) };
}

/** Size of a document in bytes: of the line, or of the file as stored. */
export function sizeOfUnit({ file, line }: RecordUnit): number {
  return line?.sizeBytes ?? file.sizeBytes;
}

export function fileNameOf(unit: RecordUnit): string {
  return basename(unit.file.origin);
}
