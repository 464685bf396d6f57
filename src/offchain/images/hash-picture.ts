/** Hashes the bytes of a picture. Runs in a separate process (picture-process.ts). */
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { isAnimatedPng } from './animated-png.ts';
import { type PerceptualHashes, perceptualHashes } from './perceptual-hash.ts';
import { pictureFormat } from './picture-format.ts';
import { type Pixels, shrinkLuminance } from './shrink-luminance.ts';

/** Why a picture has no hash. */
export type PictureFault =
  | 'not-a-picture'
  | 'too-large'
  | 'animated'
  | 'undecodable'
  /** A retry may succeed. */
  | 'timed-out';

export type PictureOutcome =
  | ({ readonly kind: 'hashed' } & PerceptualHashes)
  | { readonly kind: 'no-hash'; readonly fault: PictureFault };

export const PICTURE_PIXELS_MAX = 16_000_000;
const DECODE_TIMEOUT_SECONDS = 2;

/**
 * A longer side is first reduced to this by libvips, which for JPEG and WebP decodes a smaller
 * picture directly. That changes the 32 × 32 values by half a grey level.
 */
const FIRST_SIDE = 128;

const OPTIONS: SharpOptions = {
  limitInputPixels: PICTURE_PIXELS_MAX,
  failOn: 'warning',
  unlimited: false,
  pages: 1,
  // imagehash uses the values as stored.
  ignoreIcc: true,
};

/** Blocks all loaders of libvips except those of the four formats. */
export function blockLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadNsgif',
    ],
  });
  sharp.cache(false);
  sharp.concurrency(1);
}

export async function hashPicture(bytes: Uint8Array): Promise<PictureOutcome> {
  const format = pictureFormat(bytes);
  if (format === null) return { kind: 'no-hash', fault: 'not-a-picture' };
  if (format === 'png' && isAnimatedPng(bytes)) return { kind: 'no-hash', fault: 'animated' };
  try {
    // A JPEG has one page and no transparency: its metadata need not be read.
    const form = format === 'jpeg' ? OPAQUE : await formOf(bytes);
    if (form.kind === 'no-hash') return form;
    const pixels = await smallPixels(
      form.hasAlpha ? await withoutAlpha(bytes) : openedPicture(bytes),
    );
    return { kind: 'hashed', ...perceptualHashes(shrinkLuminance(pixels)) };
  } catch (error) {
    // libvips reports only texts; with any of them there is no picture.
    if (error instanceof Error) return { kind: 'no-hash', fault: pictureFault(error.message) };
    throw error;
  }
}

type PictureForm =
  | { readonly kind: 'form'; readonly hasAlpha: boolean }
  | { readonly kind: 'no-hash'; readonly fault: PictureFault };

const OPAQUE: PictureForm = { kind: 'form', hasAlpha: false };
const TOO_LARGE = /exceeds pixel limit/;
const TIMED_OUT = /timeout: \d+% complete/;

/** Exported for its test, because a real timeout depends on the machine. */
export function pictureFault(message: string): PictureFault {
  if (TOO_LARGE.test(message)) return 'too-large';
  return TIMED_OUT.test(message) ? 'timed-out' : 'undecodable';
}

async function formOf(bytes: Uint8Array): Promise<PictureForm> {
  const { pages = 1, hasAlpha } = await sharp(bytes, OPTIONS).metadata();
  return pages > 1 ? { kind: 'no-hash', fault: 'animated' } : { kind: 'form', hasAlpha };
}

/** The first frame of a picture, which is decoded when it is used. */
export function openedPicture(bytes: Uint8Array): Sharp {
  return sharp(bytes, OPTIONS).timeout({ seconds: DECODE_TIMEOUT_SECONDS }).toColourspace('srgb');
}

/** imagehash uses the colours under transparency; libvips would blend them with black. */
async function withoutAlpha(bytes: Uint8Array): Promise<Sharp> {
  const { data, info } = await openedPicture(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info });
}

async function smallPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .resize(FIRST_SIDE, FIRST_SIDE, { fit: 'fill', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...info, data };
}
