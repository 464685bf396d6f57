import type { Venue } from '../../model/program.ts';
import { asAddress } from '../../model/units.ts';
import { type Decoder, IGNORED, resultOf, unknown } from './decoder.ts';
import { accountsOfForm, formOf, parseForms, type SwapForm } from './swap-form.ts';
import { readSwap } from './swap-legs.ts';

/**
 * A program whose swaps have a published account order and whose other instructions are not read.
 */
export interface SwapOnlyProgram {
  readonly name: Venue;
  readonly programId: string;
  readonly swaps: readonly SwapForm[];
  /** Length of the program's discriminators. */
  readonly tagBytes: 1 | 8;
  /**
   * Several pools share the vaults, so a vault's balance does not show the reserves of one pool.
   */
  readonly areVaultsShared?: true;
  /**
   * During a swap the vaults also exchange tokens with other vaults; those transfers are not legs.
   */
  readonly countsUserTransfersOnly?: true;
}

/**
 * Decodes the swaps of a program from the transfers between the instruction and the pool's two
 * vaults, including transfers made by programs it calls. Any other instruction is ignored when it
 * moves no tokens and unknown when it does, since liquidity of these programs is not read.
 */
export function swapOnlyDecoder(program: SwapOnlyProgram): Decoder {
  const { name, tagBytes } = program;
  const forms = parseForms(program.swaps);
  const shared = program.areVaultsShared === true ? { areVaultsShared: true as const } : {};
  return {
    name,
    programId: asAddress(program.programId),
    isVenue: true,
    decode(instruction, view) {
      const form = formOf(forms, instruction.data);
      const movements = view.tokenMovementsUnder(instruction);
      if (form === null) {
        return movements.length === 0 ? IGNORED : unknown(instruction.data, tagBytes);
      }
      const accounts = { ...accountsOfForm(name, form, instruction), ...shared };
      const legs = program.countsUserTransfersOnly
        ? movements.filter(
            ({ source, destination }) =>
              accounts.userAccounts.includes(source) || accounts.userAccounts.includes(destination),
          )
        : movements;
      return resultOf(readSwap(view, instruction, { ...accounts, movements: legs }));
    },
  };
}
