import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A built file, in memory. */
export interface StaticFile {
  readonly contentType: string;
  readonly etag: string;
  /** Whether its name contains a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** Bytes in memory. */
  readonly heldBytes: number;
}

/** Content that compression makes shorter; pictures are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/;

/**
 * Reads a file and its compressed forms beside it. A text without them is compressed when a client
 * first accepts gzip, and is then held in that form, of which it is made for clients that accept none.
 */
export function readStaticFile(
  path: string,
  contentType: string,
  isImmutable: boolean,
): StaticFile {
  const content = readFileSync(path);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const compressed = (ending: string) =>
    existsSync(`${path}${ending}`) ? readFileSync(`${path}${ending}`) : null;
  const br = compressed('.br');
  const isText = COMPRESSIBLE.test(contentType);
  let held: Held = { plain: content, gzip: compressed('.gz') };
  return {
    contentType,
    etag: `"${hash}"`,
    isImmutable,
    br,
    get plain() {
      return 'plain' in held ? held.plain : gunzipSync(held.gzip);
    },
    get gzip() {
      if (isText && 'plain' in held && held.gzip === null) {
        held = { gzip: gzipSync(held.plain, { level: 9 }) };
      }
      return held.gzip;
    },
    get heldBytes() {
      const ofPlain = 'plain' in held ? held.plain.length : 0;
      return ofPlain + (held.gzip?.length ?? 0) + (br?.length ?? 0);
    },
  };
}

/** A file as it is, or a text compressed alone. */
type Held = { readonly plain: Buffer; readonly gzip: Buffer | null } | { readonly gzip: Buffer };

/** Answers with a file, or with 304 to a client that has it. */
export function sendStaticFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', file.isImmutable ? IMMUTABLE : 'no-cache');
  reply.header('etag', file.etag).header('vary', 'Accept-Encoding');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const encoding = chooseEncoding(request.headers['accept-encoding'], file);
  reply.type(file.contentType);
  if (encoding === 'identity') return reply.send(file.plain);
  return reply.header('content-encoding', encoding).send(file[encoding]);
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The shortest encoding that the request accepts. */
export function chooseEncoding(
  accepted: string | undefined,
  file: Pick<StaticFile, 'br' | 'gzip'>,
): Encoding {
  const accepts = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      return coding === name && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
    });
  if (file.br !== null && accepts('br')) return 'br';
  return accepts('gzip') && file.gzip !== null ? 'gzip' : 'identity';
}
