/**
 * The associated token program creates token accounts at derived addresses. It acts only by calling
 * the system and token programs, and everything is read from those instructions.
 */
import { ASSOCIATED_TOKEN_PROGRAM } from '../../model/program.ts';
import { type Decoder, IGNORED, unknown } from '../legs/decoder.ts';

/** Create (also without any data, as in its first version), CreateIdempotent, RecoverNested. */
const TAG_MAX = 2;

export const associatedToken: Decoder = {
  name: 'associated_token',
  programId: ASSOCIATED_TOKEN_PROGRAM,
  isVenue: false,
  decode({ data }) {
    const [tag = 0] = data;
    return tag <= TAG_MAX ? IGNORED : unknown(data, 1);
  },
};
