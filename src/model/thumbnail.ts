/** Sides of the square thumbnails of a picture, in pixels. */
export const THUMBNAIL_SIDES = [64, 128, 256] as const;

export type ThumbnailSide = (typeof THUMBNAIL_SIDES)[number];

/** The bytes of the thumbnails of a picture, by side. */
export type Thumbnails = Readonly<Record<ThumbnailSide, Uint8Array>>;

/** One thumbnail of a picture. */
export interface Thumbnail {
  /** The same for all thumbnails of a picture, and different for those of another. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}
