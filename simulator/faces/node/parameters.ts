import { decodeBase58 } from '../../../src/lib/base58.ts';
import { type Address, asAddress } from '../../../src/model/units.ts';
import type { Commitment } from './block-window.ts';
import { invalidParams } from './rpc-error.ts';

export type Options = Readonly<Record<string, unknown>>;

/** Parsers of call parameters. Each throws RpcError -32602 for an invalid value. */
export function slotParameter(params: readonly unknown[], position: number): number {
  required(params, position);
  return wholeNumber(params[position]);
}

export function addressParameter(params: readonly unknown[], position: number): Address {
  required(params, position);
  return addressOf(params[position]);
}

/** Base58 text of 64 bytes. */
export function signatureOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  if (value.length > 88 || decodeBase58(value)?.length !== 64) {
    throw invalidParams('Invalid param: Invalid');
  }
  return value;
}

export function addressOf(value: unknown): Address {
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  const bytes = value.length > 44 ? null : decodeBase58(value);
  if (bytes === null) throw invalidParams('Invalid param: Invalid');
  if (bytes.length !== 32) throw invalidParams('Invalid param: WrongSize');
  return asAddress(value);
}

export function wholeNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrongType(value, 'u64');
}

/** The configuration object after the other parameters; empty if omitted. */
export function optionsParameter(params: readonly unknown[], position: number): Options {
  const value = params[position] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'a configuration');
  return value as Options;
}

export function commitmentOption(options: Options, fallback: Commitment = 'finalized'): Commitment {
  const value = options.commitment ?? fallback;
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
  throw oneOf(value, ['processed', 'confirmed', 'finalized']);
}

/** For methods that read stored blocks. */
export function rootedCommitmentOption(options: Options): Exclude<Commitment, 'processed'> {
  const commitment = commitmentOption(options);
  if (commitment !== 'processed') return commitment;
  throw invalidParams('Method does not support commitment below `confirmed`');
}

/** Undefined if omitted. */
export function chosenOption<const Choice extends string>(
  options: Options,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = options[name] ?? undefined;
  if (value === undefined) return undefined;
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw oneOf(value, choices);
  return choice;
}

export function numberOption(options: Options, name: string): number | undefined {
  const value = options[name] ?? undefined;
  return value === undefined ? undefined : wholeNumber(value);
}

export function booleanOption(options: Options, name: string): boolean | undefined {
  const value = options[name] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(value, 'a boolean');
}

function required(params: readonly unknown[], position: number): void {
  if (params.length > position) return;
  throw invalidParams(`\`params\` should have at least ${position + 1} argument(s)`);
}

function oneOf(value: unknown, choices: readonly string[]) {
  const known = choices.map((choice) => `\`${choice}\``).join(', ');
  return invalidParams(
    `Invalid params: unknown variant \`${shown(value)}\`, expected one of ${known}.`,
  );
}

function wrongType(value: unknown, expected: string) {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'sequence' : typeof value;
  return invalidParams(`Invalid params: invalid type: ${kind}, expected ${expected}.`);
}

/** An excerpt of untrusted text, short enough for an error message. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 40) : typeof value;
}
