import type { Decoder } from '../../src/decoders/legs/decoder.ts';
import type { ProgramLayout } from '../../src/decoders/transaction/program-layout.ts';
import { concat, hex, u8, u64 } from './borsh-bytes.ts';
import type { InstructionDraft, TokenBalanceDraft } from './build-transaction.ts';
import { decodeDraft, type VaultChanges, vaultBalances } from './pool-transaction.ts';

type Program = Pick<Decoder, 'programId'>;

/**
 * Decodes one instruction of a program whose data begin with `start` (in hex, or one byte), on a
 * pool whose vaults change so; null: without balances.
 */
export function decoderOnPool({ programId }: Program) {
  return (
    start: string | number,
    accounts: readonly string[],
    inner: readonly InstructionDraft[],
    changes: VaultChanges | null,
    otherBalances: readonly TokenBalanceDraft[] = [],
  ) =>
    decodeDraft({
      instructions: [draftOf(programId, start, accounts, inner)],
      tokenBalances: [...(changes === null ? [] : vaultBalances(changes)), ...otherBalances],
    });
}

/** The same by the instruction's name in the program's layout; `draft` is the instruction alone. */
export function poolProgram<Layout extends ProgramLayout>(program: Program, layout: Layout) {
  type Name = (keyof Layout['instructions'] | keyof Layout['ignoredInstructions']) & string;
  const decodeStart = decoderOnPool(program);
  const startOf = (name: Name) =>
    layout.instructions[name]?.discriminator ?? layout.ignoredInstructions[name] ?? '';
  return {
    draft: (name: Name, accounts: readonly string[], inner: readonly InstructionDraft[]) =>
      draftOf(program.programId, startOf(name), accounts, inner),
    decode: (
      name: Name,
      accounts: readonly string[],
      inner: readonly InstructionDraft[],
      changes: VaultChanges | null,
    ) => decodeStart(startOf(name), accounts, inner, changes),
  };
}

/** Two arguments follow, which no decoder trusts. */
function draftOf(
  program: string,
  start: string | number,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
): InstructionDraft {
  const tag = typeof start === 'number' ? u8(start) : hex(start);
  return { program, accounts, data: concat(tag, u64(1n), u64(2n)), inner };
}
