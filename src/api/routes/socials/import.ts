/** POST /v1/socials/posts/import: posts that somebody brings, as JSON lines (beyond the contract). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import {
  BODY_ERRORS,
  badRequest,
  busy,
  COMMON_ERRORS,
  forbidden,
  unsupportedType,
} from '../../schemas/error-responses.ts';
import { PostsImportBody } from '../../schemas/social-body.ts';

const ACCESS = 'admin';
const MEDIA_TYPE = 'application/x-ndjson';
const BODY_BYTES_MAX = 1024 * 1024;
const NO_LINES = 'The request body must hold posts, one JSON object a line.';
const OTHER_TYPE = `The request body must be ${MEDIA_TYPE}.`;
const NO_CAPACITY = 'Too many posts wait to be counted: try again.';

const schema = {
  operationId: 'importPosts',
  summary: 'Import posts',
  description:
    `Posts as JSON lines (${MEDIA_TYPE}), at most 1 MiB at a time: {"platform", "postId", "author": ` +
    '{"id", "handle", "followers", "following", "createdAtMs", "postCount"}, "text", "url", "links", ' +
    '"reposts", "createdAtMs"}, of which platform, url, links, reposts and what is beside the id of ' +
    'an author may be left out; {"deleted": true, "platform", "postId"} takes one back. A post is ' +
    'counted once however often it comes, in the minute in which it was written, for the tokens it ' +
    'names that were tracked then; posts wait while the service gathers nothing (--offchain off).',
  tags: ['socials'],
  response: {
    202: PostsImportBody,
    ...COMMON_ERRORS,
    ...BODY_ERRORS,
    ...unsupportedType(OTHER_TYPE),
    ...forbidden(ACCESS),
    ...badRequest(NO_LINES),
    ...busy(),
  },
};

export const importPostsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    // The framework's refusal, which elsewhere means that JSON is wanted.
    app.setErrorHandler((error: FastifyError) => {
      throw error.statusCode === 415 ? new ApiError(415, OTHER_TYPE, { cause: error }) : error;
    });
    const options = { schema, config: { access: ACCESS }, bodyLimit: BODY_BYTES_MAX } as const;
    app.post('/v1/socials/posts/import', options, async (request, reply) => {
      const { body } = request;
      if (!Buffer.isBuffer(body) || body.length === 0) throw new ApiError(400, NO_LINES);
      const outcome = await deps.social.import(body);
      if (outcome === null) throw new ApiError(503, NO_CAPACITY);
      const { accepted, refused, faults } = outcome;
      return reply.code(202).send({ accepted, refused, faults: [...faults] });
    });
  };
