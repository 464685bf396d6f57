import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { PictureHasher, type PictureHasherSettings } from './picture-hasher.ts';

const hashers: PictureHasher[] = [];

afterEach(() => {
  for (const hasher of hashers.splice(0)) hasher.close();
});

function hasherWith(settings: Partial<PictureHasherSettings> = {}): PictureHasher {
  const hasher = new PictureHasher(settings);
  hashers.push(hasher);
  return hasher;
}

async function png(shade: number): Promise<Buffer> {
  const data = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => (at * shade) % 256));
  return await sharp(data, { raw: { width: 64, height: 64, channels: 1 } })
    .png()
    .toBuffer();
}

/** A process that hangs, dies or answers, depending on the first byte. */
function misbehaving(): URL {
  const file = join(mkdtempSync(join(tmpdir(), 'picture-')), 'process.mjs');
  writeFileSync(
    file,
    `const webp = Buffer.from('RIFF\\0\\0\\0\\0WEBP');
    const html = Buffer.from('<script>alert(1)</script>');
    const huge = Buffer.concat([webp, Buffer.alloc(262144)]);
    const THUMBNAILS = {
      4: { 64: webp, 128: webp, 256: webp },
      5: { 64: webp, 128: html, 256: webp },
      6: { 64: webp, 128: webp, 256: huge },
      7: { 64: webp, 128: webp },
    };
    process.on('message', ({ number, bytes }) => {
      if (bytes[0] === 1) while (true);
      if (bytes[0] === 2) process.exit(3);
      if (bytes[0] === 3) {
        const held = [];
        setInterval(() => held.push(Buffer.alloc(16 * 1048576, 1)), 5);
        return;
      }
      process.send({ number, outcome: { kind: 'hashed', hash64: String(process.pid), hash32: '', thumbnails: THUMBNAILS[bytes[0]] } });
    });`,
  );
  return pathToFileURL(file);
}

const MEBIBYTE = 1_048_576;

/** Memory in bytes of each child process that opens pictures. */
function childrenResident(): number[] {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '),
  );
  return children.flatMap((pid) => {
    const [command, statm] = ['cmdline', 'statm'].map((name) => `/proc/${pid}/${name}`);
    if (pid === '' || command === undefined || statm === undefined) return [];
    try {
      if (!readFileSync(command, 'utf8').includes('picture-process')) return [];
      return [Number(readFileSync(statm, 'utf8').split(' ')[1]) * 4_096];
    } catch (error) {
      // The process ended meanwhile.
      if (error instanceof Error && 'code' in error) return [];
      throw error;
    }
  });
}

describe('PictureHasher', () => {
  it('hashes pictures in a separate process, each with its own answer', async () => {
    const hasher = hasherWith();
    const pictures = await Promise.all([3, 5, 7].map(png));
    const together = await Promise.all(pictures.map((bytes) => hasher.hash(bytes)));
    expect(together.map(({ kind }) => kind)).toEqual(['hashed', 'hashed', 'hashed']);
    expect(new Set(together.map((outcome) => JSON.stringify(outcome))).size).toBe(3);
    for (const [at, bytes] of pictures.entries()) {
      expect(await hasher.hash(bytes)).toEqual(together[at]);
    }
    expect(await hasher.hash(Buffer.from('<svg/>'))).toEqual({
      kind: 'no-hash',
      fault: 'not-a-picture',
      thumbnails: null,
    });
  });

  it('kills a process that hangs and continues with a new one', async () => {
    const hasher = hasherWith({ program: misbehaving(), timeoutMs: 1_500 });
    const before = await hasher.hash(Buffer.from([0]));
    expect(await hasher.hash(Buffer.from([1]))).toEqual({
      kind: 'no-hash',
      fault: 'timed-out',
      thumbnails: null,
    });
    const after = await hasher.hash(Buffer.from([0]));
    expect([before.kind, after.kind]).toEqual(['hashed', 'hashed']);
    expect(after).not.toEqual(before);
  });

  it('reports which picture a process died of, and continues with a new one', async () => {
    const hasher = hasherWith({ program: misbehaving() });
    const outcomes = await Promise.all([0, 2, 0].map((byte) => hasher.hash(Buffer.from([byte]))));
    expect(outcomes.map((outcome) => ('fault' in outcome ? outcome.fault : outcome.kind))).toEqual([
      'hashed',
      'process-lost',
      'hashed',
    ]);
  });

  it('replaces a process that has grown too large', async () => {
    const hasher = hasherWith({ program: misbehaving(), residentMaxBytes: 1, watchMs: 60_000 });
    const one = await hasher.hash(Buffer.from([0]));
    const other = await hasher.hash(Buffer.from([0]));
    expect(other).not.toEqual(one);
  });

  it('kills a process that grows while it works, and continues with a new one', async () => {
    const hasher = hasherWith({ program: misbehaving(), timeoutMs: 20_000 });
    expect(await hasher.hash(Buffer.from([3]))).toEqual({
      kind: 'no-hash',
      fault: 'too-large',
      thumbnails: null,
    });
    expect((await hasher.hash(Buffer.from([0]))).kind).toBe('hashed');
  });

  it.skipIf(process.platform !== 'linux')(
    'S-20: opens the largest pictures in little more than 256 MiB, and continues after each',
    async () => {
      const wide = { width: 4_000, height: 4_000, channels: 4, background: '#12345678' } as const;
      const pictures = await Promise.all([
        sharp({ create: wide }).png().toBuffer(),
        // All of its rows must be in memory at once, with 8 bytes per pixel.
        sharp({ create: wide }).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      ]);
      const hasher = hasherWith({ timeoutMs: 20_000 });
      let most = 0;
      const watch = setInterval(() => {
        most = Math.max(most, ...childrenResident());
      }, 5);
      for (const bytes of pictures) {
        expect(['hashed', 'no-hash']).toContain((await hasher.hash(bytes)).kind);
        expect((await hasher.hash(await png(3))).kind).toBe('hashed');
      }
      clearInterval(watch);
      expect(most).toBeGreaterThan(16 * MEBIBYTE);
      // Between two checks, 20 ms apart, it may grow further.
      expect(most).toBeLessThan((256 + 96) * MEBIBYTE);
    },
  );

  it('takes no thumbnails from the process but WebP images of bounded size', async () => {
    const hasher = hasherWith({ program: misbehaving() });
    const outcomes = await Promise.all(
      [4, 5, 6, 7].map((byte) => hasher.hash(Buffer.from([byte]))),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['hashed', 'hashed', 'hashed', 'hashed']);
    const isTaken = outcomes.map((one) => 'thumbnails' in one && one.thumbnails !== null);
    expect(isTaken).toEqual([true, false, false, false]);
  });

  it('lets a bounded number of pictures wait', async () => {
    const hasher = hasherWith({ program: misbehaving(), queueMax: 1 });
    const outcomes = await Promise.all([0, 0, 0].map((byte) => hasher.hash(Buffer.from([byte]))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['hashed', 'hashed', 'busy']);
  });
});
