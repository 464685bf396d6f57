/** POST /v1/socials/posts/import: imports posts as JSON lines (extension of the contract). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { PostsImportBody } from '../../present/social-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';

const ACCESS = 'admin';
const MEDIA_TYPE = 'application/x-ndjson';
const BODY_BYTES_MAX = 1024 * 1024;
const NO_LINES = 'The request body must contain posts, one JSON object per line.';
const OTHER_TYPE = `The request body must be ${MEDIA_TYPE}.`;
const NO_CAPACITY = 'Too many posts are waiting to be counted: try again.';

const POST_EXAMPLE = {
  platform: 'import',
  postId: '1873224',
  text: 'The cat token again: $CAT',
  author: { id: '77', handle: 'cat_watcher', followers: 1_250 },
  createdAtMs: Date.parse(EXAMPLE.instant),
};

const schema = {
  operationId: 'importPosts',
  summary: 'Import posts',
  description:
    `Imports posts as JSON lines (${MEDIA_TYPE}), at most 1 MiB per request: {"platform", ` +
    '"postId", "author": {"id", "handle", "followers", "following", "createdAtMs", "postCount"}, ' +
    '"text", "url", "links", "reposts", "createdAtMs"}. platform, url, links, reposts and all ' +
    'fields of author except id are optional. {"deleted": true, "platform", "postId"} deletes a ' +
    'post. A post is counted once even if it is imported repeatedly, in the minute in which it ' +
    'was written, for the tokens it names that were tracked then. Posts are kept but not counted ' +
    'while gathering is off (--offchain off).',
  tags: ['socials'],
  ownBody: {
    [MEDIA_TYPE]: Type.String({
      title: 'PostLines',
      description: 'Posts as JSON lines.',
      examples: [`${JSON.stringify(POST_EXAMPLE)}\n`],
    }),
  },
  response: {
    202: PostsImportBody,
    ...writeErrors(ACCESS, { 400: NO_LINES, 415: OTHER_TYPE }),
  },
};

export const importPostsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    // Replaces the framework's message, which elsewhere asks for JSON.
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
