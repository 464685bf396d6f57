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

/**
 * Dispatch table over a layout's eight-byte discriminators: the name of a read instruction, or
 * 'ignored'.
 */
export function instructionTable<Layout extends ProgramLayout>(
  layout: Layout,
): DiscriminatorTable<InstructionKind<Layout>> {
  const entries: Record<string, InstructionKind<Layout>> = {};
  for (const [name, { discriminator }] of Object.entries(layout.instructions)) {
    entries[discriminator] = name;
  }
  for (const discriminator of Object.values(layout.ignoredInstructions)) {
    entries[discriminator] = 'ignored';
  }
  return new DiscriminatorTable(entries);
}

/**
 * The same for discriminators of one byte, by their value. Numbers that are no instruction are
 * undefined.
 */
export function numberedInstructions<Layout extends ProgramLayout>(
  layout: Layout,
): readonly (InstructionKind<Layout> | undefined)[] {
  const kinds: (InstructionKind<Layout> | undefined)[] = [];
  for (const [name, { discriminator }] of Object.entries(layout.instructions)) {
    kinds[Number.parseInt(discriminator, 16)] = name;
  }
  for (const discriminator of Object.values(layout.ignoredInstructions)) {
    kinds[Number.parseInt(discriminator, 16)] = 'ignored';
  }
  return kinds;
}

/** All self-event discriminators of a layout: true when the event is read by its instruction. */
export function eventTable(layout: ProgramLayout): DiscriminatorTable<boolean> {
  const entries: Record<string, boolean> = {};
  for (const { discriminator } of Object.values(layout.events)) entries[discriminator] = true;
  for (const discriminator of Object.values(layout.ignoredEvents)) entries[discriminator] = false;
  return new DiscriminatorTable(entries);
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
