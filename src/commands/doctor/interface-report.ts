import type { InterfaceDifference } from '../../decoders/idl/compare-interface.ts';
import { compareInterface, isHarmful } from '../../decoders/idl/compare-interface.ts';
import type { ProgramInterface } from '../../decoders/idl/program-interface.ts';
import type { LaidOutProgram } from '../../decoders/layouts.ts';

/** Printed result of comparing an interface with a layout. */
export interface InterfaceReport {
  readonly program: string;
  readonly program_id: string;
  /** False if an instruction or event would be missed, or read from the wrong position. */
  readonly is_current: boolean;
  readonly instructions: number;
  readonly events: number;
  readonly differences: readonly InterfaceDifference[];
}

export function reportInterface(
  published: ProgramInterface,
  { name, programId, layout }: LaidOutProgram,
): InterfaceReport {
  const differences = compareInterface(published, layout);
  return {
    program: name,
    program_id: programId,
    is_current: !differences.some(isHarmful),
    instructions: published.instructions.length,
    events: published.events.length,
    differences,
  };
}

/**
 * `2 missed, 1 misread`: number of differences by kind, harmful kinds first; null if there are
 * none.
 */
export function countsInWords(differences: readonly InterfaceDifference[]): string | null {
  const counts = KINDS.map((kind) => [
    kind,
    differences.filter((difference) => difference.kind === kind).length,
  ]).filter(([, count]) => count !== 0);
  return counts.length === 0 ? null : counts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}

const KINDS = ['missed', 'misread', 'renamed', 'absent'] as const;

/** A difference as one line of text. */
export function differenceLine({ kind, message }: InterfaceDifference): string {
  return `${kind.padEnd(7)}  ${message}`;
}
