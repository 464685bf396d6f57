/**
 * The token program, TokenkegQ…: mints that come to life, who may mint and freeze, and what moved.
 *
 * Transfers below a venue's instruction are its legs and told by its own event; minting and burning
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
