import type { ProgramName } from '../model/program.ts';
import type { Address } from '../model/units.ts';
import { DECODERS } from './registry.ts';
import type { ProgramLayout } from './transaction/program-layout.ts';

/** A program with a documented interface, and the part of it that its decoder relies on. */
export interface LaidOutProgram {
  readonly name: ProgramName;
  readonly programId: Address;
  readonly layout: ProgramLayout;
}

/** Every program with a layout. */
export const LAYOUTS: readonly LaidOutProgram[] = DECODERS.flatMap(({ name, programId, layout }) =>
  layout === undefined ? [] : [{ name, programId, layout }],
);

/** Null for a program without a layout. */
export function layoutNamed(name: string): LaidOutProgram | null {
  return LAYOUTS.find((program) => program.name === name) ?? null;
}

export function layoutAt(programId: string): LaidOutProgram | null {
  return LAYOUTS.find((program) => program.programId === programId) ?? null;
}
