/**
 * Helmet's headers, restricted to those relevant to a data API, as constants: running helmet on
 * each response costs more than the rest of a hot read. The reference page at /docs/api uses helmet
 * itself.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

interface Served {
  readonly version: string;
  readonly isSimulated?: boolean;
}

/** Headers of every response of a service of a version; those of a simulated market say so. */
export function commonHeaders(served: Served): Readonly<Record<string, string>> {
  return { ...SECURITY_HEADERS, ...serviceHeaders(served) };
}

/** What every answer says about the service, over gRPC as metadata. */
export function serviceHeaders({
  version,
  isSimulated = false,
}: Served): Readonly<Record<string, string>> {
  const headers = { 'x-api-version': version };
  return isSimulated ? { ...headers, 'x-simulated': 'true' } : headers;
}
