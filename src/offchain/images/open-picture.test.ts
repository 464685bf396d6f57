import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { THUMBNAIL_SIDES, type Thumbnails } from '../../model/thumbnail.ts';
import { blockLoaders } from './hash-picture.ts';
import { openPicture } from './open-picture.ts';
import { THUMBNAIL_SIZE_MAX_BYTES } from './thumbnails.ts';

beforeAll(() => blockLoaders());

const RED = { r: 200, g: 20, b: 30 };

function red(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: RED } });
}

async function thumbnailsOf(bytes: Uint8Array): Promise<Thumbnails> {
  const { thumbnails } = await openPicture(bytes);
  if (thumbnails === null) throw new Error('the picture has no thumbnails');
  return thumbnails;
}

/** Red, green, blue and alpha of a pixel of an encoded image. */
async function pixelOf(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * 4;
  return [...data.subarray(at, at + 4)];
}

/** Lossy coding and conversions between colour spaces change colours by a few levels. */
function expectColour(pixel: readonly number[], [r, g, b]: readonly number[]): void {
  expect(pixel[3]).toBe(255);
  for (const [channel, value] of [r, g, b].entries()) {
    expect(Math.abs((pixel[channel] ?? 0) - (value ?? 0))).toBeLessThan(12);
  }
}

describe('The thumbnails of a picture', () => {
  it.each([
    ['smaller than all of them', 20, 20],
    ['larger', 900, 900],
    ['wide', 1_000, 100],
    ['of one pixel', 1, 1],
  ])('that is %s are WebP images of exactly their sizes', async (_, width, height) => {
    const thumbnails = await thumbnailsOf(await red(width, height).png().toBuffer());
    for (const side of THUMBNAIL_SIDES) {
      const { format, width: wide, height: high, pages } = await sharp(thumbnails[side]).metadata();
      expect([format, wide, high, pages]).toEqual(['webp', side, side, undefined]);
      expectColour(await pixelOf(thumbnails[side], side / 2, side / 2), [200, 20, 30]);
    }
  });

  it('contain all of it, with transparent borders', async () => {
    const { 128: thumbnail } = await thumbnailsOf(await red(400, 200).png().toBuffer());
    expectColour(await pixelOf(thumbnail, 2, 64), [200, 20, 30]);
    expectColour(await pixelOf(thumbnail, 125, 64), [200, 20, 30]);
    expect((await pixelOf(thumbnail, 64, 4))[3]).toBe(0);
    expect((await pixelOf(thumbnail, 64, 123))[3]).toBe(0);
  });

  it('keep its transparency', async () => {
    const half = { ...RED, alpha: 0.5 };
    const create = { width: 300, height: 300, channels: 4, background: half } as const;
    const { 256: thumbnail } = await thumbnailsOf(await sharp({ create }).png().toBuffer());
    const [, , , alpha = 0] = await pixelOf(thumbnail, 128, 128);
    expect(Math.abs(alpha - 128)).toBeLessThan(6);
  });

  it('are turned as the picture says, and say nothing else that it says', async () => {
    const blue = await sharp({
      create: { width: 100, height: 200, channels: 3, background: { r: 10, g: 10, b: 220 } },
    })
      .png()
      .toBuffer();
    const turned = await red(200, 200)
      .composite([{ input: blue, left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    expect((await sharp(turned).metadata()).orientation).toBe(6);
    const { 64: thumbnail } = await thumbnailsOf(turned);
    // The left half of the stored rows is shown above.
    expectColour(await pixelOf(thumbnail, 32, 8), [10, 10, 220]);
    expectColour(await pixelOf(thumbnail, 32, 56), [200, 20, 30]);
    expect((await sharp(thumbnail).metadata()).exif).toBeUndefined();
    expect(Buffer.from(thumbnail).includes('secret place')).toBe(false);
  });

  it('have nothing of a file that is an HTML page too', async () => {
    const page = Buffer.from('<html><script>alert(1)</script>');
    const polyglots = [
      Buffer.concat([await red(50, 50).jpeg().toBuffer(), page]),
      Buffer.concat([await red(50, 50).png().toBuffer(), page]),
      await red(50, 50)
        .withExif({ IFD0: { ImageDescription: String(page) } })
        .jpeg()
        .toBuffer(),
    ];
    for (const bytes of polyglots) {
      expect(bytes.includes('<script>')).toBe(true);
      const thumbnails = await thumbnailsOf(bytes);
      for (const side of THUMBNAIL_SIDES) {
        expect(Buffer.from(thumbnails[side]).includes('<script>')).toBe(false);
      }
    }
  });

  it('of one that moves are of its first frame', async () => {
    const frames = Buffer.alloc(3 * 20 * 20 * 3, 0);
    // The first frame is white, the others are black.
    frames.fill(255, 0, 20 * 20 * 3);
    const raw = { width: 20, height: 60, channels: 3, pageHeight: 20 } as const;
    for (const moving of [sharp(frames, { raw }).gif(), sharp(frames, { raw }).webp({ loop: 0 })]) {
      const opened = await openPicture(await moving.toBuffer());
      expect(opened).toMatchObject({ kind: 'no-hash', fault: 'animated' });
      const { 128: thumbnail = Buffer.alloc(0) } = opened.thumbnails ?? {};
      expect((await sharp(thumbnail).metadata()).pages).toBeUndefined();
      expectColour(await pixelOf(thumbnail, 64, 64), [255, 255, 255]);
    }
  });

  it('of noise, transparent too, are within the bound of their size', async () => {
    const data = Buffer.alloc(256 * 256 * 4);
    let state = 1;
    for (let at = 0; at < data.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      data[at] = state >>> 24;
    }
    const noise = sharp(data, { raw: { width: 256, height: 256, channels: 4 } });
    const { 256: thumbnail } = await thumbnailsOf(await noise.png().toBuffer());
    expect(thumbnail.length).toBeGreaterThan(20_000);
    expect(thumbnail.length).toBeLessThan(THUMBNAIL_SIZE_MAX_BYTES * 0.75);
  });
});

describe('There are no thumbnails', () => {
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    ['nothing', ''],
  ])('of %s', async (_, text) => {
    expect(await openPicture(Buffer.from(text))).toEqual({
      kind: 'no-hash',
      fault: 'not-a-picture',
      thumbnails: null,
    });
  });

  it('of a picture that is cut off, or has more pixels than are decoded', async () => {
    const whole = await red(300, 300).png().toBuffer();
    expect(await openPicture(whole.subarray(0, whole.length / 2))).toMatchObject({
      fault: 'undecodable',
      thumbnails: null,
    });
    const bomb = await red(4_000, 4_001).png().toBuffer();
    expect(await openPicture(bomb)).toMatchObject({ fault: 'too-large', thumbnails: null });
  });
});
