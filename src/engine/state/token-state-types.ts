import type { KnownPart, OlderToken, SupplyChange } from '../../fold/market/older-token.ts';
import type { MetadataState, NamedMetadata } from '../../fold/market/token-metadata.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import type { GraphRecord } from '../../lib/graph-types.ts';
import type { LiquidityEvent } from '../../model/derived.ts';
import type { Creator } from '../../model/metadata-content.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import { record } from './state-record.ts';

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
    creators: 'always',
    sellerFeeBps: 'always',
    isMutable: 'always',
    primarySaleHappened: 'always',
    tokenStandard: 'always',
  }),
  record<NamedMetadata>('names', { name: 'always', symbol: 'always', uri: 'always' }),
  record<Creator>('creator', { address: 'always', verified: 'always', sharePercent: 'always' }),
  record<MintExtensionFact>('mint extension', {
    kind: 'always',
    feeBps: 'optional',
    maxFeeRaw: 'optional',
    rateBps: 'optional',
    multiplier: 'optional',
    effectiveTimeMs: 'optional',
    metadataAddress: 'optional',
    delegate: 'optional',
    hookProgram: 'optional',
    isFrozen: 'optional',
    isPaused: 'optional',
    closeAuthority: 'optional',
  }),
  record<LiquidityEvent>('liquidity event', {
    pool: 'always',
    quoteMint: 'always',
    lamports: 'always',
    baseRaw: 'always',
    valueUsd: 'always',
    slot: 'always',
    timeMs: 'always',
  }),
];
