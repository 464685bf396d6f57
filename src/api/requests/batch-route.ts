import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { type Awaitable, whenKnown } from '../../lib/awaitable.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { OVER_BURST_EXAMPLE } from '../http/request-charge.ts';
import { BatchBody, presentBatch } from '../present/batch-body.ts';
import { writeErrors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  BATCH_RULES,
  BatchRequest,
  chargeBatch,
  distinct,
  INVALID_ADDRESS_EXAMPLE,
} from './batch-request.ts';

/** What one batch endpoint has of its own. */
export interface Batch<Item> {
  /** Last part of the path: POST /v1/batch/{name}. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly addresses: keyof typeof ADDRESSES;
  /** Schema of the data of one item. */
  readonly item: TSchema;
  /** An item's data, for a schema without an example of its own. */
  readonly example?: unknown;
  /** Reads the items and sets the freshness of the answer. */
  read(
    deps: ApiDeps,
    addresses: readonly Address[],
    reply: FastifyReply,
  ): Awaitable<BatchItems<Item>>;
}

export interface BatchItems<Item> {
  /** In the order of the addresses; null where nothing is known. */
  readonly found: readonly (Item | null)[];
  /** The data of one item. */
  readonly present: (item: Item, address: Address) => unknown;
}

const ADDRESSES = {
  mint: { description: 'Mint addresses.', example: EXAMPLE.mint },
  pool: { description: 'Pool addresses.', example: EXAMPLE.pool },
  wallet: { description: 'Wallet addresses.', example: EXAMPLE.wallet },
} as const;

/** The route of a batch endpoint. */
export function batchRoute<Item>(batch: Batch<Item>) {
  const options = { schema: schemaOf(batch), preHandler: chargeBatch };
  return (deps: ApiDeps): FastifyPluginAsyncTypebox =>
    async (app) => {
      app.post(`/v1/batch/${batch.name}`, options, (request, reply) => {
        const addresses = distinct(request.body.addresses);
        return whenKnown(batch.read(deps, addresses, reply), ({ found, present }) =>
          presentBatch(addresses, found, present),
        );
      });
    };
}

function schemaOf<Item>(batch: Batch<Item>) {
  const { operationId, summary, tag, item, example: data } = batch;
  const { description, example: address } = ADDRESSES[batch.addresses];
  return {
    operationId,
    summary,
    description: `${batch.description} ${BATCH_RULES}`,
    tags: [tag],
    body: BatchRequest(description, address),
    response: {
      200: BatchBody(item, { address, data }),
      ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
    },
  };
}
