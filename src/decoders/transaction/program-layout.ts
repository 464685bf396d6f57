import type { Instruction } from '../../model/instruction.ts';
import { DiscriminatorTable } from './discriminator.ts';

/**
 * The part of a program's interface that a decoder relies on, with the interface's own names, so
 * that a test can compare every discriminator, account position and field order with the published
 * IDL.
 */
export interface ProgramLayout {
  /** Instructions that are read: discriminator (hex) and the positions of the accounts used. */
  readonly instructions: Readonly<Record<string, InstructionLayout>>;
  /** Instructions known to contain nothing of interest: name → discriminator. */
  readonly ignoredInstructions: Readonly<Record<string, string>>;
  /** Self-events that are read: discriminator and field names in order, as far as they are read. */
  readonly events: Readonly<Record<string, EventLayout>>;
  /** Self-events known to contain nothing of interest: name → discriminator. */
  readonly ignoredEvents: Readonly<Record<string, string>>;
}

export interface InstructionLayout {
  readonly discriminator: string;
  readonly accounts: Readonly<Record<string, number>>;
}

export interface EventLayout {
  readonly discriminator: string;
  readonly fields: readonly string[];
}

export type InstructionKind<Layout extends ProgramLayout> =
  | keyof Layout['instructions']
  | 'ignored';

/** Finds a value by the leading bytes of an instruction's data; undefined when there is none. */
export interface DispatchTable<Value> {
  get(data: Uint8Array): Value | undefined;
}

/**
 * The name of a read instruction, or 'ignored', by its discriminator: eight bytes, or one byte in
 * programs that number their instructions.
 */
export function instructionTable<Layout extends ProgramLayout>(
  layout: Layout,
): DispatchTable<InstructionKind<Layout>> {
  const entries: Record<string, InstructionKind<Layout>> = {};
  for (const [name, { discriminator }] of Object.entries(layout.instructions)) {
    entries[discriminator] = name;
  }
  for (const discriminator of Object.values(layout.ignoredInstructions)) {
    entries[discriminator] = 'ignored';
  }
  return discriminatorBytesOf(layout) === 1
    ? numberTable(entries)
    : new DiscriminatorTable(entries);
}

/** Length of the discriminators of a program's instructions. */
export function discriminatorBytesOf({ instructions }: ProgramLayout): 1 | 8 {
  const [first] = Object.values(instructions);
  return first?.discriminator.length === 2 ? 1 : 8;
}

function numberTable<Value>(entries: Readonly<Record<string, Value>>): DispatchTable<Value> {
  const values: Value[] = [];
  for (const [hex, value] of Object.entries(entries)) values[Number.parseInt(hex, 16)] = value;
  return { get: ([number = -1]) => values[number] };
}

/**
 * All self-event discriminators of a layout: true when the event is read by its instruction. Null
 * for a program without self-events.
 */
export function eventTable(layout: ProgramLayout): DiscriminatorTable<boolean> | null {
  const entries: Record<string, boolean> = {};
  for (const { discriminator } of Object.values(layout.events)) entries[discriminator] = true;
  for (const discriminator of Object.values(layout.ignoredEvents)) entries[discriminator] = false;
  return Object.keys(entries).length === 0 ? null : new DiscriminatorTable(entries);
}

/** Key indices of an instruction's named accounts; -1 for accounts it does not have. */
export function accountsOf<Names extends string>(
  instruction: Instruction,
  layout: { readonly accounts: Readonly<Record<Names, number>> },
): Record<Names, number> {
  const indexes = {} as Record<Names, number>;
  for (const name in layout.accounts) {
    indexes[name] = instruction.accountIndex(layout.accounts[name]);
  }
  return indexes;
}
