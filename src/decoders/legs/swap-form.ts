import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { SwapAccounts } from './swap-legs.ts';

/** A form of swap instruction: its leading bytes and the positions of its accounts. */
export interface SwapForm {
  /** Leading bytes of the instruction's data, in hex; empty when the program obfuscates them. */
  readonly tag: string;
  /** Positions of the accounts. */
  readonly pool: number;
  readonly vaults: readonly [number, number];
  readonly user: number;
  readonly userAccounts: readonly [number, number];
}

/** A form with its tag as bytes, parsed once per program. */
export interface ParsedForm {
  readonly tag: readonly number[];
  readonly form: SwapForm;
}

export function parseForms(forms: readonly SwapForm[]): readonly ParsedForm[] {
  return forms.map((form) => ({ tag: bytesOf(form.tag), form }));
}

/** The first form whose tag matches the data, null when there is none. */
export function formOf(forms: readonly ParsedForm[], data: Uint8Array): SwapForm | null {
  for (const { tag, form } of forms) {
    if (tag.every((byte, index) => data[index] === byte)) return form;
  }
  return null;
}

/** Key indices of a swap's accounts; -1 for accounts that the instruction does not have. */
export function accountsOfForm(
  venue: Venue,
  { pool, vaults, user, userAccounts }: SwapForm,
  instruction: Instruction,
): SwapAccounts {
  const at = (position: number) => instruction.accountIndex(position);
  return {
    venue,
    pool: at(pool),
    vaults: [at(vaults[0]), at(vaults[1])],
    user: at(user),
    userAccounts: [at(userAccounts[0]), at(userAccounts[1])],
  };
}

function bytesOf(hex: string): readonly number[] {
  return Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  );
}
