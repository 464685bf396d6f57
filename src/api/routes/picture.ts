/** GET /v1/token/{token_address}/picture: a thumbnail of a token's picture (docs/decisions/0061). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { whenKnown } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import { THUMBNAIL_SIDES, type ThumbnailSide } from '../../model/thumbnail.ts';
import type { ApiDeps } from '../deps.ts';
import { isNotModified } from '../http/entity-tag.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  TextParameter,
} from '../schemas/parameters.ts';

const UNKNOWN_TOKEN = 'This token is not known.';
const NO_PICTURE = 'No picture of this token was gathered.';

/** A URL with the hash of its picture is never answered with another picture of the same token. */
const KEPT_FOR_GOOD = 'private, max-age=31536000, immutable';
const KEPT_SHORTLY = 'private, max-age=60';

const HEADERS = {
  'content-disposition': 'inline; filename="picture.webp"',
  'content-security-policy': `${SECURITY_HEADERS['content-security-policy']};sandbox`,
};

const schema = {
  operationId: 'getTokenPicture',
  summary: 'A thumbnail of the picture of a token',
  description:
    'Returns the picture named by the metadata of a token as a square WebP image with transparent ' +
    'borders, encoded anew by this service: clients need not contact the host of the picture. An ' +
    'animated picture is shown by its first frame. picture_url in answers about tokens is the path ' +
    'with the hash of the picture; answers to it may be kept by the client for a year, others for ' +
    'a minute. With If-None-Match, a picture that the client has is answered with 304. Pictures ' +
    'are third-party content of any kind. Requests count in a budget of their own, ten times that of ' +
    'other requests, which the RateLimit headers of this endpoint show. Off-chain: independent of ' +
    'slots.',
  tags: ['tokens'],
  params: Type.Object({
    token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  }),
  querystring: Type.Object({
    size: Defaulted(
      ChoiceParameter(
        THUMBNAIL_SIDES.map((side) => `${side}` as const),
        { description: 'Width and height in pixels.', default: '128' },
      ),
    ),
    hash: Type.Optional(
      TextParameter({
        description:
          'Hash of the picture, as in picture_url. The newest picture is returned for any other.',
        maxLength: 64,
      }),
    ),
  }),
  response: {
    200: {
      description: 'The thumbnail.',
      headers: {
        etag: { type: 'string', description: 'Names picture and size.' },
        'cache-control': { type: 'string', description: 'How long the client may keep it.' },
      },
      content: { 'image/webp': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
    },
    304: { description: 'The client has this thumbnail.', type: 'null' },
    ...errors({ 400: 'size must be one of 64, 128, 256.', 404: NO_PICTURE }),
  },
};

/** Lists show a hundred pictures at a time: they leave the budget of requests alone. */
const OPTIONS = { schema, config: { budget: 'pictures' } } as const;

export const pictureRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/token/:token_address/picture', OPTIONS, (request, reply) => {
      const { token_address: mint } = request.params;
      const { size, hash } = request.query;
      const thumbnail = deps.offchain.thumbnailOf(mint, Number(size) as ThumbnailSide);
      if (thumbnail === null) {
        return whenKnown(deps.tokens.find(mint), (token) => {
          throw new ApiError(404, token === null ? UNKNOWN_TOKEN : NO_PICTURE);
        });
      }
      const tag = `"${thumbnail.hash}-${size}"`;
      reply.headers(HEADERS);
      reply.header('etag', tag);
      reply.header('cache-control', hash === thumbnail.hash ? KEPT_FOR_GOOD : KEPT_SHORTLY);
      if (isNotModified(request, tag)) return reply.code(304).send();
      return reply.type('image/webp').send(Buffer.from(thumbnail.bytes));
    });
  };
