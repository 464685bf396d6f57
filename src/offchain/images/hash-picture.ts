/** Bytes of a picture as its hashes. Runs in a process of its own (picture-process.ts). */
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
  /** This time; another may do. */
  | 'timed-out';

export type PictureOutcome =
  | ({ readonly kind: 'hashed' } & PerceptualHashes)
  | { readonly kind: 'no-hash'; readonly fault: PictureFault };

export const PICTURE_PIXELS_MAX = 16_000_000;
const DECODE_TIMEOUT_SECONDS = 2;

/**
 * A side longer than this is first brought to it by libvips, which for JPEG and WebP decodes a smaller
 * picture to begin with. What that moves in the 32 × 32 values is half a step of grey.
 */
const FIRST_SIDE = 128;

const OPTIONS: SharpOptions = {
  limitInputPixels: PICTURE_PIXELS_MAX,
  failOn: 'warning',
  unlimited: false,
  pages: 1,
  // imagehash looks at the values as stored.
  ignoreIcc: true,
};

/** Leaves the loaders of four formats; everything else that libvips can read is closed. */
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
    // A JPEG has one page and no transparency, so that nobody has to ask.
    const form = format === 'jpeg' ? OPAQUE : await formOf(bytes);
    if (form.kind === 'no-hash') return form;
    const pixels = await smallPixels(form.hasAlpha ? await withoutAlpha(bytes) : opened(bytes));
    return { kind: 'hashed', ...perceptualHashes(shrinkLuminance(pixels)) };
  } catch (error) {
    // libvips says in words what it could not read; whatever they are, there is no picture.
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

/** Exported for its test: what takes two seconds depends on the machine. */
export function pictureFault(message: string): PictureFault {
  if (TOO_LARGE.test(message)) return 'too-large';
  return TIMED_OUT.test(message) ? 'timed-out' : 'undecodable';
}

async function formOf(bytes: Uint8Array): Promise<PictureForm> {
  const { pages = 1, hasAlpha } = await sharp(bytes, OPTIONS).metadata();
  return pages > 1 ? { kind: 'no-hash', fault: 'animated' } : { kind: 'form', hasAlpha };
}

function opened(bytes: Uint8Array): Sharp {
  return sharp(bytes, OPTIONS).timeout({ seconds: DECODE_TIMEOUT_SECONDS }).toColourspace('srgb');
}

/** imagehash looks at the colours that transparency hides; libvips would mix them with black. */
async function withoutAlpha(bytes: Uint8Array): Promise<Sharp> {
  const { data, info } = await opened(bytes)
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
