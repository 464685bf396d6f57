import type { ClonePage, CloneQuery, OffchainFacts } from '../model/off-chain.ts';
import type { Thumbnail, ThumbnailSide } from '../model/thumbnail.ts';
import type { Address } from '../model/units.ts';

/** Data gathered off the chain, as of when it was observed. It does not depend on slots. */
export interface OffchainReads {
  factsOf(mint: Address): OffchainFacts;
  /** URL of the token's picture; null while none is known. */
  imageOf(mint: Address): string | null;
  /** The hash of the thumbnails of the token's picture; null while there are none. */
  thumbnailHashOf(mint: Address): string | null;
  /** A thumbnail of the token's picture; null while there is none. */
  thumbnailOf(mint: Address, side: ThumbnailSide): Thumbnail | null;
  /** Other tokens with the same URI or document, or with a similar picture; newest first. */
  clones(query: CloneQuery): ClonePage;
}
