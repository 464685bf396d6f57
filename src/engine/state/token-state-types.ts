import type { KnownPart, OlderToken, SupplyChange } from '../../fold/market/older-token.ts';
import type { MetadataState, NamedMetadata } from '../../fold/market/token-metadata.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import type { GraphRecord } from '../../lib/graph-types.ts';
import { LIQUIDITY_EVENT } from '../../model/derived.ts';
import { CREATOR, METAPLEX_FIELDS } from '../../model/metadata-content.ts';
import { MINT_EXTENSION_FACT } from '../../model/mint-extension.ts';
import { described, describedUnion, presences, record } from './state-record.ts';

/** Records of the token book. Their order is part of the layout. */
export const TOKEN_RECORDS: readonly GraphRecord[] = [
  record<TokenState>('token', {
    mint: 'always',
    tokenProgram: 'always',
    creator: 'always',
    feeRecipient: 'always',
    supplyRaw: 'always',
    decimals: 'always',
    mintAuthority: 'always',
    freezeAuthority: 'always',
    creationSlot: 'always',
    metadata: 'always',
    extensions: 'always',
    liquidityEvent: 'always',
    hasOlderPool: 'always',
    primaryPool: 'always',
    createdAtMs: 'always',
    updatedAtMs: 'always',
    slot: 'always',
    older: 'always',
  }),
  record<OlderToken>('older token', {
    suppliesAfter: 'always',
    supplyChanges: 'always',
    knownParts: 'always',
  }),
  record<SupplyChange>('supply change', { slot: 'always', deltaRaw: 'always' }),
  record<KnownPart>('known part', { part: 'always', slot: 'always' }),
  record<MetadataState>('metadata', {
    metaplex: 'always',
    extension: 'always',
    metaplexAuthority: 'always',
    extensionAuthority: 'always',
    ...presences(METAPLEX_FIELDS),
  }),
  record<NamedMetadata>('names', { name: 'always', symbol: 'always', uri: 'always' }),
  described('creator', CREATOR),
  describedUnion('mint extension', MINT_EXTENSION_FACT),
  described('liquidity event', LIQUIDITY_EVENT),
];
