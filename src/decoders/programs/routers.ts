/**
 * Routers move tokens only through the pools they call, whose events contain every amount. Amounts
 * that routers report, as in Jupiter's SwapEvents, are nominal and never read. All of their
 * instructions are therefore counted as ignored.
 */
import type { RouterName } from '../../model/program.ts';
import { asAddress } from '../../model/units.ts';
import { type Decoder, IGNORED } from '../legs/decoder.ts';
import { ROUTER_PROGRAMS } from '../transaction/router-programs.ts';

export const ROUTERS: readonly Decoder[] = Object.entries(ROUTER_PROGRAMS).map(
  ([name, programId]) => ({
    name: name as RouterName,
    programId: asAddress(programId),
    isVenue: false,
    decode: () => IGNORED,
  }),
);
