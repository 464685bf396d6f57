/** Fields of metadata that an event or an observation always has. */
export const METADATA_KEYS = [
  'kind',
  'standard',
  'mint',
  'name',
  'symbol',
  'uri',
  'sellerFeeBps',
  'creators',
  'isMutable',
  'primarySaleHappened',
  'tokenStandard',
] as const;
