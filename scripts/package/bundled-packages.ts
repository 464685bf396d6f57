/**
 * Packages of which the service needs a small part, and which the package therefore contains in one
 * file each, in place of installing them with all that they depend on (decision 0082): these would
 * be 30 MB, the files are 5.
 */
export const BUNDLED_PACKAGES = [
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@scalar/fastify-api-reference',
] as const;

/** Below the root of the package. */
export const BUNDLED_FOLDER = 'bundled';
