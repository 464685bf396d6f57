/** GET /v1/wallets/{address}/created-tokens: tokens that a wallet created (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isSlot } from '../../model/units.ts';
import type { CreatedTokenCursor } from '../../model/wallet-lists.ts';
import type { ApiDeps } from '../deps.ts';
import { addressPart, integerPart, pageCursor } from '../parameters/page-cursor.ts';
import { setFreshness } from '../present/freshness.ts';
import { CreatedTokensBody } from '../present/wallet-lists-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { CursorParameter, PageLimitParameter } from '../schemas/parameters.ts';
import { BAD_WALLET, WalletPath } from '../schemas/wallet-path.ts';

const UNKNOWN_SLOT = 'none';

const CURSORS = pageCursor<CreatedTokenCursor>({
  endpoint: 'created-tokens',
  version: 1,
  toParts: ({ slot, mint }) => [slot ?? UNKNOWN_SLOT, mint],
  toPosition([slotPart, mintPart]) {
    const mint = addressPart(mintPart);
    if (mint === null) return null;
    if (slotPart === UNKNOWN_SLOT) return { slot: null, mint };
    const slot = integerPart(slotPart);
    return isSlot(slot) ? { slot, mint } : null;
  },
});

const schema = {
  operationId: 'listCreatedTokens',
  summary: 'List the tokens that a wallet created',
  description:
    'Returns the tokens that the wallet launched, or whose mint it created. An address that ' +
    'created none has an empty list.',
  tags: ['wallets'],
  params: WalletPath,
  querystring: Type.Object({ limit: PageLimitParameter, cursor: CursorParameter }),
  response: { 200: CreatedTokensBody.schema, ...errors({ 400: BAD_WALLET }) },
};

export const createdTokensRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address/created-tokens', { schema }, async (request, reply) => {
      const { limit, cursor } = request.query;
      const wallet = request.params.address;
      const after = CURSORS.read(cursor, { wallet });
      const read = await deps.wallets.createdTokens({ creator: wallet, after, limit });
      setFreshness(reply, deps, { isStored: true }, read);
      const write = (next: CreatedTokenCursor) => CURSORS.write(next, { wallet });
      return CreatedTokensBody.present(read.data, { wallet, write });
    });
  };
