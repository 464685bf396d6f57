import type { OffchainReads } from '../offchain-reads.ts';

/** Source of token image URLs. */
export type TokenImages = Pick<OffchainReads, 'imageOf'>;

/** For callers without the off-chain database. */
export const NO_IMAGES: TokenImages = { imageOf: () => null };
