import { findDeepNesting } from '../../lib/json-nesting.ts';
import { readAnchorInterface } from './anchor-interface.ts';
import { readCodamaInterface } from './codama-interface.ts';
import { InterfaceError } from './interface-error.ts';
import { asObject } from './interface-fields.ts';
import type { ProgramInterface } from './program-interface.ts';

/** Maximum characters of a file. The largest IDL of a well-known program has about 400,000. */
export const INTERFACE_CHARS_MAX = 8 * 2 ** 20;

export type InterfaceReading =
  | { readonly status: 'ok'; readonly value: ProgramInterface }
  /** The reason, as a sentence without a full stop. */
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Reads the text of an IDL: Anchor's form before and since 0.30, with or without discriminators,
 * and Codama's. Never throws for any text: lengths, depth and counts are bounded.
 */
export function parseInterface(text: string): InterfaceReading {
  try {
    return { status: 'ok', value: interfaceOf(documentOf(text)) };
  } catch (error) {
    if (error instanceof InterfaceError) return { status: 'refused', reason: error.message };
    throw error;
  }
}

function documentOf(text: string): unknown {
  if (text.length > INTERFACE_CHARS_MAX) {
    throw new InterfaceError(`it is longer than ${INTERFACE_CHARS_MAX} characters`);
  }
  if (findDeepNesting(text, 0) !== null) throw new InterfaceError('it is nested too deep');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new InterfaceError('it is not JSON');
    throw error;
  }
}

function interfaceOf(document: unknown): ProgramInterface {
  const root = asObject(document, 'it');
  const found = root.kind === 'rootNode' ? readCodamaInterface(root) : readAnchorInterface(root);
  if (found.instructions.length === 0) throw new InterfaceError('it lists no instructions');
  return found;
}
