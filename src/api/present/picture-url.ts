import { Type } from 'typebox';
import { described, nullable, plain } from './wire-kinds.ts';

/** Path of a token's picture. It names the picture, so that an answer to it can be kept for good. */
export function pictureUrl(mint: string, thumbnailHash: string | null): string | null {
  return thumbnailHash === null ? null : `/v1/token/${mint}/picture?hash=${thumbnailHash}`;
}

export const pictureUrlKind = described(
  nullable(plain(Type.String({ format: 'uri-reference' }))),
  'Path of the picture as this service serves it, for a token whose picture is shown; &size= may ' +
    'be added. Null while no picture was gathered. Off-chain: independent of slots.',
);
