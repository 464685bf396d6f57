/** enterprise.v1: newly seen tokens, and supply changes (CONTRACT §3). */

import type { NewTokenBlock } from '../../../model/streamed.ts';
import type { LiquidityEvent, TokenMetadata, TokenRecord } from '../../../model/token-record.ts';
import { formatSol, formatTokens, formatUsd } from '../../present/format-wire.ts';
import {
  CollectionSize,
  TokenCollection,
  TokenUses,
  TransferRules,
} from '../../present/metaplex-fields.ts';
import type { Encoded } from '../stream-client.ts';
import { type GrpcMessage, type GrpcStream, known, text, timestamp } from './grpc-stream.ts';

const TOKEN_BYTES = 2_048;
const SUPPLY_BYTES = 256;

export const newTokensService: GrpcStream<unknown, NewTokenBlock> = {
  file: 'enterprise/v1/new_tokens.proto',
  service: 'enterprise.v1.NewTokenService',
  method: 'StreamNewTokens',
  open: ({ streams }) => ({ source: streams.newTokens, encode: ({ item }) => encode(item) }),
};

function encode({ slot, timeMs, created, supplies }: NewTokenBlock): Encoded<GrpcMessage>[] {
  const at = timestamp(timeMs);
  return [
    ...created.map((token) => ({
      message: { timestamp: at, new_token_data: toNewToken(token) },
      sizeBytes: TOKEN_BYTES,
    })),
    ...supplies.map((token) => ({
      message: { timestamp: at, token_supply_update: toSupply(token, slot) },
      sizeBytes: SUPPLY_BYTES,
    })),
  ];
}

function toNewToken(token: TokenRecord): GrpcMessage {
  return {
    token: {
      token_address: token.mint,
      creator_address: text(token.creator),
      total_supply: text(formatTokens(token.supplyRaw, token.decimals)),
      name: text(token.name),
      symbol: text(token.symbol),
      decimals: token.decimals ?? 0,
      ...known({
        mint_authority_address: token.mintAuthority,
        freeze_authority_address: token.freezeAuthority,
      }),
      creation_slot: String(token.creationSlot ?? 0),
      created_at: timestamp(token.createdAtMs),
    },
    metadata: token.metadata && toMetadata(token.metadata),
    liquidity_event: token.liquidityEvent && toLiquidity(token.liquidityEvent, token.decimals),
    social_links: [],
  };
}

function toMetadata(metadata: TokenMetadata): GrpcMessage {
  return {
    ...known({
      update_authority_address: metadata.updateAuthority,
      uri: metadata.uri,
      primary_sale_happened: metadata.primarySaleHappened,
      is_mutable: metadata.isMutable,
      edition_nonce: metadata.editionNonce,
      token_standard: metadata.tokenStandard,
      collection: jsonOf(TokenCollection, metadata.collection),
      uses: jsonOf(TokenUses, metadata.uses),
      collection_details: jsonOf(CollectionSize, metadata.collectionDetails),
      programmable_config: jsonOf(TransferRules, metadata.programmableConfig),
      seller_fee_basis_points: metadata.sellerFeeBps,
    }),
    creators: (metadata.creators ?? []).map(({ address, verified, sharePercent }) => ({
      address,
      verified,
      share: sharePercent,
    })),
  };
}

/** The record as JSON text, as the token endpoint has it. */
function jsonOf<Value>(
  record: { readonly present: (value: Value) => object },
  value: Value | null,
): string | null {
  return value && JSON.stringify(record.present(value));
}

function toLiquidity(event: LiquidityEvent, decimals: number | null): GrpcMessage {
  const time = timestamp(event.timeMs);
  return {
    pair_address: event.pool,
    initial_liquidity_solana_amount: text(formatSol(event.lamports)),
    initial_liquidity_token_amount: text(formatTokens(event.baseRaw, decimals)),
    initial_liquidity_value_usd: text(formatUsd(event.valueUsd)),
    initial_liquidity_add_slot_number: String(event.slot),
    initial_liquidity_add_slot_timestamp: time,
    block_time_at: time,
  };
}

function toSupply({ mint, supplyRaw, decimals }: TokenRecord, slot: number): GrpcMessage {
  return {
    token_address: mint,
    total_supply: text(formatTokens(supplyRaw, decimals)),
    slot: String(slot),
  };
}
