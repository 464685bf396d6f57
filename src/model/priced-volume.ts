/** Quote volume of a pool, and the part of it that has a known price. */
export interface PricedVolume {
  readonly quoteVolumeRaw: bigint;
  readonly pricedQuoteVolumeRaw: bigint;
}

/** True when at least 0.9 of the quote volume has a known price (METHODS §0.4). */
export function isUsdKnown({ quoteVolumeRaw, pricedQuoteVolumeRaw }: PricedVolume): boolean {
  return pricedQuoteVolumeRaw * 10n >= quoteVolumeRaw * 9n;
}
