import sharp, { type Sharp } from 'sharp';
import { THUMBNAIL_SIDES, type ThumbnailSide, type Thumbnails } from '../../model/thumbnail.ts';
import { pictureFormat } from './picture-format.ts';

/** Maximum size of a thumbnail: that of its pixels. Noise with a noisy transparency takes half. */
export const THUMBNAIL_SIZE_MAX_BYTES = 262_144;

const LARGEST_SIDE = 256;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
/** `effort`: from 0 to 6; more takes several times as long and saves a tenth of the bytes. */
const ENCODING = { quality: 80, alphaQuality: 80, effort: 2 };

/**
 * The thumbnails of a picture: nothing of its file is kept except its pixels. They are squares that
 * contain all of the picture, with transparent borders, and as the picture is meant to be turned.
 */
export async function makeThumbnails(picture: Sharp): Promise<Thumbnails> {
  const { data, info } = await fitted(picture.autoOrient(), LARGEST_SIDE)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const encode = async (side: ThumbnailSide) => {
    const large = sharp(data, { raw: { width, height, channels } });
    const sized = side === LARGEST_SIDE ? large : fitted(large, side);
    return [side, await sized.webp(ENCODING).toBuffer()] as const;
  };
  const encoded = await Promise.all(THUMBNAIL_SIDES.map(encode));
  return Object.fromEntries(encoded) as unknown as Thumbnails;
}

/** Whether a value from another process is a set of thumbnails of bounded size. */
export function areThumbnails(value: unknown): value is Thumbnails {
  if (typeof value !== 'object' || value === null) return false;
  const bySide: Partial<Record<ThumbnailSide, unknown>> = value;
  return THUMBNAIL_SIDES.every((side) => isThumbnail(bySide[side]));
}

function isThumbnail(bytes: unknown): boolean {
  return (
    bytes instanceof Uint8Array &&
    bytes.length <= THUMBNAIL_SIZE_MAX_BYTES &&
    pictureFormat(bytes) === 'webp'
  );
}

function fitted(picture: Sharp, side: number): Sharp {
  return picture.resize(side, side, { fit: 'contain', background: TRANSPARENT });
}
