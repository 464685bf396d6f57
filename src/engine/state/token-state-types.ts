import type { KnownPart, OlderToken, SupplyChange } from '../../fold/market/older-token.ts';
import type { MetadataState, NamedMetadata } from '../../fold/market/token-metadata.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import type { GraphRecord } from '../../lib/graph-types.ts';
import { CREATOR, METAPLEX_FIELDS } from '../../model/metadata-content.ts';
import { MINT_EXTENSION_FACT } from '../../model/mint-extension.ts';
import { LIQUIDITY_EVENT, TOKEN_RECORD } from '../../model/token-record.ts';
import { described, describedUnion, presences, record } from './state-record.ts';

const { burnedRaw, name, symbol, priceUsd, priceChain, ...stored } = presences(TOKEN_RECORD.fields);

/** Records of the token book. Their order is part of the layout. */
export const TOKEN_RECORDS: readonly GraphRecord[] = [
  record<TokenState>('token', {
    ...stored,
    metadata: 'always',
    extensions: 'always',
    hasOlderPool: 'always',
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
