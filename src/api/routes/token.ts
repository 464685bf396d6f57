/** GET /v1/token/{token_address}: all data of a mint (specification 2.1 and 4.1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import type {
  HolderBalance,
  LiquidityEvent,
  TokenMetadata,
  TokenRecord,
} from '../../model/derived.ts';
import { ApiError } from '../../model/errors.ts';
import type { OffchainFacts, TokenDocument } from '../../model/off-chain.ts';
import type { ApiDeps } from '../deps.ts';
import {
  formatInstant,
  formatMaybeInstant,
  formatSol,
  formatTokens,
  formatUsd,
} from '../present/format-wire.ts';
import { assertRetained, NOT_RETAINED_EXAMPLE, setFreshness } from '../present/freshness.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, AsOfSlotParameter } from '../schemas/parameters.ts';
import { TokenBody } from '../schemas/token-body.ts';

const schema = {
  operationId: 'getToken',
  summary: 'Retrieve a token',
  description:
    'Returns supply, authorities, metadata, first liquidity and largest holders of a mint, ' +
    'accurate as of the slot in x-slot. uri_metadata, social_links and image_hash are ' +
    'third-party data from off the chain: each is as of its own timestamp and unaffected by ' +
    'as_of_slot.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({ as_of_slot: AsOfSlotParameter }),
  response: {
    200: TokenBody,
    ...COMMON_ERRORS,
    ...badRequest('token_address must be the base58 text of a 32-byte address.'),
    ...notFound('This token is not known.'),
    ...unprocessable(NOT_RETAINED_EXAMPLE),
    ...busy(),
  },
};

export const tokenRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address', { schema }, (request, reply) =>
      whenKnown(deps.tokens.withHolders(request.params.token_address), (found) => {
        const { slot } = setFreshness(reply, deps, { fromSlot: found?.token.creationSlot ?? null });
        assertRetained(request.query.as_of_slot, slot);
        if (found === null) throw new ApiError(404, 'This token is not known.');
        return present(found.token, found.holders, deps.offchain.factsOf(found.token.mint));
      }),
    );
  };

function present(
  token: TokenRecord,
  holders: readonly HolderBalance[],
  { document, links, picture }: OffchainFacts,
): Static<typeof TokenBody> {
  return {
    token: {
      token_address: token.mint,
      creator_address: token.creator,
      total_supply: formatTokens(token.supplyRaw, token.decimals),
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      mint_authority_address: token.mintAuthority,
      freeze_authority_address: token.freezeAuthority,
      creation_slot: token.creationSlot,
      created_at: formatMaybeInstant(token.createdAtMs),
      updated_at: formatMaybeInstant(token.updatedAtMs),
    },
    metadata: presentMetadata(token.metadata, document),
    liquidity_event: token.liquidityEvent && presentLiquidity(token.liquidityEvent, token.decimals),
    social_links: links.map(({ platform, url, statusCode, checkedAtMs }) => ({
      platform,
      url,
      status_code: statusCode,
      checked_at: formatMaybeInstant(checkedAtMs),
    })),
    image_hash: {
      phash_32: picture?.hash32 ?? null,
      phash_64: picture?.hash64 ?? null,
      created_at: formatMaybeInstant(picture?.hashedAtMs ?? null),
    },
    holders: holders.map((holder) => ({
      holder_address: holder.owner,
      balance: formatTokens(holder.balanceRaw, token.decimals),
      is_lp: holder.isPool,
      created_at: formatMaybeInstant(holder.firstSeenMs),
    })),
  };
}

function presentMetadata(
  metadata: TokenMetadata | null,
  document: TokenDocument | null,
): Static<typeof TokenBody>['metadata'] {
  return {
    update_authority_address: metadata?.updateAuthority ?? null,
    uri: metadata?.uri ?? null,
    uri_metadata: document && presentDocument(document),
    creators:
      metadata?.creators?.map(({ address, verified, sharePercent }) => ({
        address,
        verified,
        share: sharePercent,
      })) ?? null,
    primary_sale_happened: metadata?.primarySaleHappened ?? null,
    is_mutable: metadata?.isMutable ?? null,
    edition_nonce: null,
    token_standard: metadata?.tokenStandard ?? null,
    collection: null,
    uses: null,
    collection_details: null,
    programmable_config: null,
    seller_fee_basis_points: metadata?.sellerFeeBps ?? null,
  };
}

function presentDocument({
  name,
  symbol,
  description,
  image,
  seenAtMs,
}: TokenDocument): NonNullable<Static<typeof TokenBody>['metadata']['uri_metadata']> {
  return { name, symbol, description, image, seen_at: formatInstant(seenAtMs) };
}

function presentLiquidity(
  event: LiquidityEvent,
  decimals: number | null,
): NonNullable<Static<typeof TokenBody>['liquidity_event']> {
  return {
    pair_address: event.pool,
    initial_liquidity_solana_amount: formatSol(event.lamports),
    initial_liquidity_token_amount: formatTokens(event.baseRaw, decimals),
    initial_liquidity_value_usd: formatUsd(event.valueUsd),
    initial_liquidity_add_slot_number: event.slot,
    initial_liquidity_add_slot_timestamp: formatMaybeInstant(event.timeMs),
    block_time_at: formatMaybeInstant(event.timeMs),
  };
}
