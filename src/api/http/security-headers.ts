/**
 * What helmet sends, narrowed to an interface that answers data and never a page, as constants:
 * helmet's own pass over each answer costs more than the rest of a hot read together. The reference
 * page at /docs goes through helmet itself.
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
