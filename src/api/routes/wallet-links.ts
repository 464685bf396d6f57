/** GET /v1/wallets/{address}/links: wallets linked to a wallet (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { LINK_KINDS, type LinkCursor } from '../../model/wallet-lists.ts';
import type { ApiDeps } from '../deps.ts';
import { addressPart, integerPart, pageCursor } from '../parameters/page-cursor.ts';
import { setFreshness } from '../present/freshness.ts';
import { WalletLinksBody } from '../present/wallet-lists-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { CursorParameter, ListParameter, PageLimitParameter } from '../schemas/parameters.ts';
import { BAD_WALLET, WalletPath } from '../schemas/wallet-path.ts';

const CURSORS = pageCursor<LinkCursor>({
  endpoint: 'wallet-links',
  version: 1,
  toParts: ({ strengthE4, kind, wallet }) => [strengthE4, kind, wallet],
  toPosition([strengthPart, kindPart, walletPart]) {
    const [strengthE4, wallet] = [integerPart(strengthPart), addressPart(walletPart)];
    const kind = LINK_KINDS.find((one) => one === kindPart);
    if (strengthE4 === null || wallet === null || kind === undefined) return null;
    return { strengthE4, kind, wallet };
  },
});

const schema = {
  operationId: 'listWalletLinks',
  summary: 'List the wallets linked to a wallet',
  description:
    'Returns wallets linked by payments, token transfers, purchases and reported ' +
    'classifications, each with the transactions behind it. Records are bounded: the first 4 and ' +
    'newest 12 payments in each direction, and the transfers of the 16 newest tokens until a week ' +
    'after their last trade. A cursor is a position in the order: a link whose strength changes ' +
    'between two pages may appear on both or on neither.',
  tags: ['wallets'],
  params: WalletPath,
  querystring: Type.Object({
    kind: Type.Optional(
      ListParameter(LINK_KINDS, { description: 'Kinds of links. Defaults to all.' }),
    ),
    limit: PageLimitParameter,
    cursor: CursorParameter,
  }),
  response: {
    200: WalletLinksBody.schema,
    ...errors({
      400: BAD_WALLET,
      422: `kind must be a comma-separated list of ${LINK_KINDS.join(', ')}.`,
    }),
  },
};

export const walletLinksRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address/links', { schema }, async (request, reply) => {
      const { kind, limit, cursor } = request.query;
      const wallet = request.params.address;
      const kinds = kind ?? LINK_KINDS;
      const filters = { wallet, kinds: kinds.toSorted().join() };
      const after = CURSORS.read(cursor, filters);
      const read = await deps.wallets.links({ wallet, kinds, after, limit });
      setFreshness(reply, deps, { isStored: true }, read);
      const write = (next: LinkCursor) => CURSORS.write(next, filters);
      return WalletLinksBody.present(read.data, { wallet, write });
    });
  };
