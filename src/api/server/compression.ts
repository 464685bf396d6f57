import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type { LaneName } from '../lanes/lanes.ts';
import { laneOf } from '../lanes/route-lanes.ts';

/** Smaller bodies are sent as they are: they fit few packets, and compressing them costs more. */
export const COMPRESSED_FROM_BYTES = 16_384;

/** The fastest level of each: higher ones take several times as long to save a tenth more. */
const OPTIONS: FastifyCompressOptions = {
  threshold: COMPRESSED_FROM_BYTES,
  encodings: ['zstd', 'br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 1 },
};

/** Lanes of routes whose bodies may be large and are read from the store. */
const LANES: ReadonlySet<LaneName | null> = new Set<LaneName>(['query', 'statistics', 'export']);

/**
 * Compresses large bodies for clients that accept it, on threads of their own. Routes of current
 * rows are left alone, as are streams and files. Bodies of requests are never decompressed.
 */
export function addCompression(app: FastifyInstance): void {
  // Before the hook of the plugin, which reads the option.
  app.addHook('onRoute', (route) => {
    if (LANES.has(laneOf(route.url))) route.compress = OPTIONS;
  });
  void app.register(compress, { global: false });
}
