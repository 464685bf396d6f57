import type { OffchainReads } from '../deps.ts';

/** Where pictures of tokens are. */
export type TokenImages = Pick<OffchainReads, 'imageOf'>;

/** For those who have no database of off-chain facts at hand. */
export const NO_IMAGES: TokenImages = { imageOf: () => null };
