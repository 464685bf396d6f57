import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { hammingDistance } from '../../../tests/support/hamming-distance.ts';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { blockLoaders, hashPicture, pictureFault } from './hash-picture.ts';
import { shrinkLuminance } from './shrink-luminance.ts';

beforeAll(() => blockLoaders());

const HASH = /^[0-9a-f]{16}$/;

/** A picture of coloured blocks, generated from a seed, 200 × 160. */
function blocks(seed: number): Sharp {
  const [width, height] = [200, 160];
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const cell = Math.floor((at % width) / 25) * 8 + Math.floor(at / width / 20);
    for (let channel = 0; channel < 3; channel++) {
      data[at * 3 + channel] =
        (Math.imul(cell * 3 + channel + seed * 977, 0x9e3779b1) >>> 24) & 255;
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const outcome = await hashPicture(bytes);
  return outcome.kind === 'hashed' ? outcome.hash64 : outcome.fault;
}

describe.skipIf(!hasTestData)('The hash of recorded pictures', () => {
  const folder = join(testData, 'labels/phash');

  it('is the one that imagehash documents for its own picture', async () => {
    expect(await hashOf(readFileSync(join(folder, 'imagehash_py/imagehash.png')))).toBe(
      'ba8c84536bd3c366',
    );
  });

  it('equals that of Pillow and imagehash for all of them', async () => {
    const { images } = JSON.parse(
      readFileSync(join(folder, 'computed_reference.json'), 'utf8'),
    ) as {
      images: Record<string, { phash64: string }>;
    };
    const files = Object.keys(images).filter((file) => existsSync(join(folder, file)));
    expect(files.length).toBeGreaterThan(6);
    for (const file of files) {
      expect([file, await hashOf(readFileSync(join(folder, file)))]).toEqual([
        file,
        images[file]?.phash64,
      ]);
    }
  });

  it('is computed from exactly Pillow’s 32 × 32 values if no side was long', async () => {
    const { images } = JSON.parse(
      readFileSync(join(folder, 'computed_reference.json'), 'utf8'),
    ) as {
      images: Record<string, { luma32: number[] }>;
    };
    for (const file of [
      'imagehash_py/peppers.png',
      'goimagehash/sample1.jpg',
      'goimagehash/sample3.jpg',
    ]) {
      const { data, info } = await sharp(readFileSync(join(folder, file)), { ignoreIcc: true })
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([...shrinkLuminance({ ...info, data })]).toEqual(images[file]?.luma32);
    }
  });
});

/** One of each recorded picture; the third sample is the first in another size. */
const DISTINCT = [
  'coenm/TestData.Github_1.testfile.jpg',
  'goimagehash/sample1.jpg',
  'goimagehash/sample2.jpg',
  'imagehash_py/imagehash.png',
  'imagehash_py/peppers.png',
];

describe.skipIf(!hasTestData)('S-21: the hash of labelled pictures', () => {
  const read = (file: string) => readFileSync(join(testData, 'labels/phash', file));

  it('differs by at least 20 bits between different pictures', async () => {
    const hashes = await Promise.all(DISTINCT.map((file) => hashOf(read(file))));
    const distances = hashes.flatMap((one, at) =>
      hashes.slice(at + 1).map((other) => hammingDistance(one, other)),
    );
    expect(distances).toHaveLength(10);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(20);
  });

  it('changes by at most 6 bits for the same picture in another size, coding or brightness', async () => {
    expect(
      hammingDistance(
        await hashOf(read('goimagehash/sample1.jpg')),
        await hashOf(read('goimagehash/sample3.jpg')),
      ),
    ).toBeLessThanOrEqual(6);
    for (const file of DISTINCT) {
      // Large pictures only take long: a smaller one serves as well.
      const { data, info } = await sharp(read(file), { ignoreIcc: true })
        .removeAlpha()
        .resize(320, 320, { fit: 'inside', withoutEnlargement: true })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = info;
      const original = sharp(data, { raw: { width, height, channels } });
      const hash = await hashOf(await original.clone().png().toBuffer());
      const half = [Math.round(width / 2), Math.round(height / 2)] as const;
      const changed = [
        original
          .clone()
          .resize(...half, { fit: 'fill' })
          .png(),
        original.clone().jpeg({ quality: 60 }),
        original.clone().webp({ quality: 80 }),
        original.clone().modulate({ brightness: 1.05 }).png(),
        original.clone().modulate({ brightness: 0.95 }).png(),
      ];
      for (const version of changed) {
        const distance = hammingDistance(hash, await hashOf(await version.toBuffer()));
        expect([file, distance <= 6, distance]).toEqual([file, true, distance]);
      }
    }
  });
});

describe('S-21: the hash', () => {
  it('changes by at most 6 bits when a picture is halved, recompressed or 5 % brighter', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const original = await blocks(seed).png().toBuffer();
      const hash = await hashOf(original);
      const changed = [
        sharp(original).resize(100, 80).png(),
        sharp(original).jpeg({ quality: 60 }),
        sharp(original).modulate({ brightness: 1.05 }).png(),
        sharp(original).modulate({ brightness: 0.95 }).png(),
        sharp(original).webp({ quality: 80 }),
      ];
      for (const version of changed) {
        expect(hammingDistance(hash, await hashOf(await version.toBuffer()))).toBeLessThanOrEqual(
          6,
        );
      }
    }
  });

  it('of different pictures differs by half its bits on average, and by at least 16', async () => {
    const hashes = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, seed) => await hashOf(await blocks(seed).png().toBuffer()),
      ),
    );
    const distances = hashes.flatMap((one, at) =>
      hashes.slice(at + 1).map((other) => hammingDistance(one, other)),
    );
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(16);
    const mean = distances.reduce((total, bits) => total + bits, 0) / distances.length;
    expect(Math.abs(mean - 32)).toBeLessThan(4);
  });
});

/** The PNG with an `acTL` chunk (frames, plays) after its header, as in the APNG specification. */
function withAnimationControl(png: Buffer, frames: number): Buffer {
  const body = Buffer.alloc(12);
  body.write('acTL', 'latin1');
  body.writeUInt32BE(frames, 4);
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 16);
  const headerEnd = 8 + 25;
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** A PNG of the given size whose pixels are all 0, one bit each. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('S-20: a picture', () => {
  it('of 30,000 × 30,000 equal pixels is too large, and is not decompressed', async () => {
    const bomb = flatPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(1_000_000);
    const started = performance.now();
    expect(await hashOf(bomb)).toBe('too-large');
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it('of 16 million pixels still has a hash, and with one more row none', async () => {
    expect(await hashOf(flatPng(4_000, 4_000))).toMatch(HASH);
    expect(await hashOf(flatPng(4_000, 4_001))).toBe('too-large');
  });

  it('that is animated has none: a GIF of 10,000 frames, an animated WebP', async () => {
    const frames = (count: number) => {
      const data = Buffer.from(Array.from({ length: count * 4 * 3 }, (_, at) => (at * 37) % 256));
      return sharp(data, { raw: { width: 2, height: 2 * count, channels: 3, pageHeight: 2 } });
    };
    expect(await hashOf(await frames(10_000).gif().toBuffer())).toBe('animated');
    expect(await hashOf(await frames(5).webp({ loop: 0 }).toBuffer())).toBe('animated');
    expect(await hashOf(await frames(1).gif().toBuffer())).toMatch(HASH);
  });

  it('that is an animated PNG has none: one with an acTL chunk of several frames', async () => {
    const still = await blocks(3).png().toBuffer();
    expect(await hashOf(withAnimationControl(still, 2))).toBe('animated');
    // An animation of one frame is a still picture.
    expect(await hashOf(withAnimationControl(still, 1))).toBe(await hashOf(still));
    const shortened = withAnimationControl(still, 2).subarray(0, 40);
    expect(await hashOf(shortened)).toBe('undecodable');
  });

  it('that is transparent is hashed by its stored colours, as imagehash does', async () => {
    const opaque = await blocks(4).png().toBuffer();
    const hidden = await blocks(4).ensureAlpha(0).png().toBuffer();
    expect(await hashOf(hidden)).toBe(await hashOf(opaque));
  });

  it('truncated at any length or with a wrong checksum has none', async () => {
    const png = await blocks(1).png().toBuffer();
    for (const share of [0.1, 0.5, 0.9]) {
      expect(await hashOf(png.subarray(0, Math.floor(png.length * share)))).toBe('undecodable');
    }
    const broken = Buffer.from(png);
    broken[Math.floor(png.length / 2)] = (broken[Math.floor(png.length / 2)] ?? 0) ^ 0xff;
    expect(await hashOf(broken)).toBe('undecodable');
    const jpeg = await blocks(1).jpeg().toBuffer();
    expect(await hashOf(jpeg.subarray(0, jpeg.length / 2))).toBe('undecodable');
  });

  it('of any format, truncated anywhere or with changed bytes, has a hash or none, in bounded time', async () => {
    const wholes = await Promise.all([
      blocks(1).png().toBuffer(),
      blocks(1).jpeg().toBuffer(),
      blocks(1).jpeg({ progressive: true }).toBuffer(),
      blocks(1).webp().toBuffer(),
      blocks(1).webp({ lossless: true }).toBuffer(),
      blocks(1).gif().toBuffer(),
    ]);
    let broken = 0;
    for (const whole of wholes) {
      expect(await hashOf(whole)).toMatch(HASH);
      for (let step = 1; step <= 12; step++) {
        const at = Math.floor((whole.length * step) / 13);
        const changed = Buffer.from(whole);
        changed.fill((step * 73) & 255, at, at + 3);
        for (const bytes of [whole.subarray(0, at), changed]) {
          const startedMs = performance.now();
          const outcome = await hashOf(bytes);
          expect(outcome).toMatch(/^([0-9a-f]{16}|not-a-picture|too-large|animated|undecodable)$/);
          if (!HASH.test(outcome)) broken++;
          expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
        }
      }
    }
    // 72 were truncated, and most formats also detect changed bytes.
    expect(broken).toBeGreaterThan(60);
  });

  it('is recognised by its first bytes, not by its name or declared type', async () => {
    for (const format of ['jpeg', 'webp', 'gif'] as const) {
      const bytes = await blocks(5).toFormat(format).toBuffer();
      expect(await hashOf(bytes)).toMatch(HASH);
      // A PNG signature alone does not make it a PNG.
      const lying = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), bytes]);
      expect(await hashOf(lying)).toBe('undecodable');
    }
  });

  it('that exceeded the time limit of libvips is distinguished from an unreadable one', () => {
    expect(pictureFault('timeout: 12% complete')).toBe('timed-out');
    expect(pictureFault('Input image exceeds pixel limit')).toBe('too-large');
    expect(pictureFault('VipsJpeg: premature end of JPEG image')).toBe('undecodable');
  });

  it('in CMYK, with 16 bits or with a second page is hashed as its picture', async () => {
    const hash = await hashOf(await blocks(2).png().toBuffer());
    const inks = await blocks(2).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    const deep = await blocks(2).toColourspace('rgb16').png().toBuffer();
    const polyglot = Buffer.concat([
      await blocks(2).jpeg({ quality: 95 }).toBuffer(),
      Buffer.from('<html><script>alert(1)</script>'),
    ]);
    expect(hammingDistance(hash, await hashOf(inks))).toBeLessThanOrEqual(10);
    expect(hammingDistance(hash, await hashOf(deep))).toBeLessThanOrEqual(2);
    expect(hammingDistance(hash, await hashOf(polyglot))).toBeLessThanOrEqual(2);
  });

  it.each([
    [
      'an SVG with an external entity',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
    ],
    ['a PDF', '%PDF-1.7\n'],
    ['a TIFF', 'II*\0\0\0\0\0'],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    ['nothing', ''],
  ])('that is %s is no picture', async (_, text) => {
    expect(await hashOf(Buffer.from(text, 'latin1'))).toBe('not-a-picture');
  });

  it('whose first bytes do not match the rest has no hash, and never opens another reader', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await hashOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]))).toBe('undecodable');
    await expect(sharp(svg).metadata()).rejects.toThrow();
  });
});
