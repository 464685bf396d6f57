import type { Mutable } from '../../lib/mutable.ts';
import {
  type Codec,
  type Described,
  list,
  nullable,
  plain,
  record,
  textFormat,
} from '../../model/codec.ts';
import { MINT_EXTENSION_FACT, type MintExtensionFact } from '../../model/mint-extension.ts';
import { TOKEN_RECORD } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import { OLDER_TOKEN, type OlderToken, olderToken } from './older-token.ts';
import { METADATA_STATE, NO_METADATA } from './token-metadata.ts';

// Other books provide these fields of the public record.
const { burnedRaw, name, symbol, metadata, priceUsd, priceChain, ...kept } = TOKEN_RECORD.fields;

const STATE = record({
  ...kept,
  metadata: METADATA_STATE,
  /** Token-2022 extensions, one of each kind, in order of first sight. */
  extensions: list(MINT_EXTENSION_FACT),
  /** The token has a pool that was created before the stored history. */
  hasOlderPool: plain<boolean>(),
  /** Data to merge with account reads; null if the creation of the token was seen. */
  older: nullable(OLDER_TOKEN),
});

/** The state of a token from events of its mint. Prices and burns are kept in other books. */
export interface TokenState extends Mutable<Described<typeof STATE>> {
  readonly extensions: MintExtensionFact[];
  older: OlderToken | null;
}

export const TOKEN_STATE = textFormat('token 1', STATE as unknown as Codec<TokenState>);

/** Creates the state of a newly seen mint. */
export function newToken(mint: Address, decimals: number | null, at: Moment): TokenState {
  return {
    mint,
    tokenProgram: null,
    creator: null,
    feeRecipient: null,
    supplyRaw: null,
    decimals,
    mintAuthority: null,
    freezeAuthority: null,
    creationSlot: null,
    metadata: NO_METADATA,
    extensions: [],
    liquidityEvent: null,
    hasOlderPool: false,
    primaryPool: null,
    createdAtMs: knownTimeMs(at),
    updatedAtMs: knownTimeMs(at),
    slot: at.slot,
    older: olderToken(at.slot),
  };
}
