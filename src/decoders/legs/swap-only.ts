import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type Decoder, IGNORED, resultOf, unknown } from './decoder.ts';
import { accountsOfForm, formOf, parseForms, type SwapForm } from './swap-form.ts';
import { readSwap } from './swap-legs.ts';

/** A program whose swaps have a published account order, and of which nothing else is read. */
export interface SwapOnlyProgram {
  readonly name: Venue;
  readonly programId: string;
  readonly swaps: readonly SwapForm[];
  /** Length of the program's discriminators. */
  readonly tagBytes: 1 | 8;
  /** Pools have their tokens in common vaults: a balance there says nothing of one pool. */
  readonly areVaultsShared?: true;
  /** The vaults also exchange tokens with other vaults in a swap, which is no leg of it. */
  readonly countsUserTransfersOnly?: true;
}

/**
 * Decodes the swaps of a program as what the transfers below the instruction did to the pool's two
 * vaults, those of programs that it pays through included. An instruction of another kind is ignored
 * when it moves no tokens and unknown when it does: liquidity of these programs is not read.
 */
export function swapOnlyDecoder(program: SwapOnlyProgram): Decoder {
  const { name, tagBytes } = program;
  const forms = parseForms(program.swaps);
  const shared = program.areVaultsShared === true ? { areVaultsShared: true as const } : {};
  return {
    name,
    programId: program.programId as Address,
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
