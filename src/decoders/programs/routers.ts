/**
 * Routers move tokens only through the pools they call, whose events tell every amount. What they
 * say themselves, as in Jupiter's SwapEvents, is nominal and never read: each of their instructions
 * is known to carry nothing for us, whichever it is, and is counted as such.
 */
import type { RouterName } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type Decoder, IGNORED } from '../legs/decoder.ts';
import { ROUTER_PROGRAMS } from '../transaction/router-programs.ts';

export const ROUTERS: readonly Decoder[] = Object.entries(ROUTER_PROGRAMS).map(
  ([name, programId]) => ({
    name: name as RouterName,
    programId: programId as Address,
    isVenue: false,
    decode: () => IGNORED,
  }),
);
