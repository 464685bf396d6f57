import type { Thumbnails } from '../../model/thumbnail.ts';
import { hashPicture, openedPicture, type PictureOutcome } from './hash-picture.ts';
import { makeThumbnails } from './thumbnails.ts';

/** All that is kept of a picture. `thumbnails` is null for bytes that cannot be shown. */
export type OpenedPicture = PictureOutcome & { readonly thumbnails: Thumbnails | null };

/** Hashes a picture and makes its thumbnails; those of an animated one are of its first frame. */
export async function openPicture(bytes: Uint8Array): Promise<OpenedPicture> {
  const outcome = await hashPicture(bytes);
  const isShown = outcome.kind === 'hashed' || outcome.fault === 'animated';
  return { ...outcome, thumbnails: isShown ? await thumbnailsOf(bytes) : null };
}

async function thumbnailsOf(bytes: Uint8Array): Promise<Thumbnails | null> {
  try {
    return await makeThumbnails(openedPicture(bytes));
  } catch (error) {
    // libvips reports only texts; a picture whose first frame is broken has a hash or none.
    if (error instanceof Error) return null;
    throw error;
  }
}
