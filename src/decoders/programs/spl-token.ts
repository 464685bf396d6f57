/**
 * The token program, TokenkegQ…: new mints, changes of mint and freeze authority, and movements of
 * tokens.
 *
 * Transfers below a venue's instruction are its legs and are part of its own event; mints and burns
 * always count. Also reads the instructions that its successor, p-token, added at the same address.
 */
import { SPL_TOKEN_PROGRAM } from '../../model/program.ts';
import { decodeTokenInstruction, TOKEN_ACTIONS } from '../families/token-instructions.ts';
import type { Decoder } from '../legs/decoder.ts';

export const splToken: Decoder = {
  name: 'spl_token',
  programId: SPL_TOKEN_PROGRAM,
  isVenue: false,
  decode: (instruction, view) =>
    decodeTokenInstruction(instruction, view, ([tag]) => TOKEN_ACTIONS[tag ?? -1]),
};
