/**
 * Fictitious values for the examples of the OpenAPI document: well formed, but not real accounts. A
 * running service names held ones in their place (present/held-examples.ts).
 */
export const EXAMPLE = {
  mint: '7q6eGvnn5yemNpch1ArFi62dKGow6bxy9sx1DU5pnMTU',
  pool: '7q6eGvnn5yemeoqR6XKpte5Ai3SKNrY8LGstXY7175v6',
  creator: '7q6eGvnn5yekU8be7shit76EZwRz9sBpzA98BE4dbDtS',
  wallet: '7q6eGvnn5yekvWR4PgnjZGjHvFwQ5KecJRnzd1eJEKrn',
  signature:
    '32fbeaZ64f2JNs58kXZ5hYzk9niG3yUypwqFK1kZHB2mkaABn57UMQJDmAo6JrP2u89ayr7ppTPCFqidVWYuTpeU',
  uuid: '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  trigger: 'deep pool',
  thumbnailHash: '5d41402abc4b2a76',
  slot: 314_159_265,
  signalRow: 271_828_182,
  instant: '2025-01-15T14:32:08.000Z',
  hourBefore: '2025-01-15T13:32:08.000Z',
  unixSeconds: 1_736_951_528,
} as const;
