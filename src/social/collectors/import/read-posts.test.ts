import { describe, expect, it } from 'vitest';
import { IMPORT_LINE_BYTES_MAX, type ImportedLine, readPosts } from './read-posts.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const POST = { postId: '1', author: { id: 'ann' }, text: 'gm', createdAtMs: NOW_MS - 1_000 };

async function* chunksOf(text: string | Buffer, sizeBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes);
}

async function read(text: string | Buffer, sizeBytes = 1_000): Promise<ImportedLine[]> {
  const lines: ImportedLine[] = [];
  for await (const batch of readPosts(chunksOf(text, sizeBytes), () => NOW_MS)) {
    lines.push(...batch);
  }
  return lines;
}

function faultOf(fields: unknown): Promise<string | null> {
  return read(JSON.stringify(fields)).then(([line]) =>
    line?.kind === 'fault' ? line.message : null,
  );
}

describe('imported posts', () => {
  it('are read in full and without optional fields', async () => {
    const whole = {
      platform: 'x',
      postId: '9',
      author: {
        id: '7',
        handle: '@seven',
        followers: 10,
        following: 5,
        createdAt: '2020-01-01T00:00:00Z',
        postCount: 3,
      },
      text: 'hello',
      url: 'https://x.com/seven/status/9',
      links: ['https://a.xyz', 'javascript:alert(1)'],
      reposts: 2,
      createdAt: '2026-11-19T00:00:00+01:00',
    };
    const text = `${JSON.stringify(whole)}\r\n\n${JSON.stringify(POST)}\n{"deleted":true,"platform":"x","postId":"9"}`;
    expect(await read(text)).toEqual([
      {
        kind: 'event',
        line: 1,
        event: {
          kind: 'post',
          post: {
            platform: 'x',
            postId: '9',
            author: {
              id: '7',
              handle: 'seven',
              followers: 10,
              following: 5,
              createdAtMs: Date.UTC(2020, 0, 1),
              postCount: 3,
            },
            text: 'hello',
            url: 'https://x.com/seven/status/9',
            links: ['https://a.xyz'],
            reposts: 2,
            createdAtMs: Date.UTC(2026, 10, 18, 23),
          },
        },
      },
      {
        kind: 'event',
        line: 3,
        event: {
          kind: 'post',
          post: {
            platform: 'import',
            postId: '1',
            author: {
              id: 'ann',
              handle: null,
              followers: null,
              following: null,
              createdAtMs: null,
              postCount: null,
            },
            text: 'gm',
            url: null,
            links: [],
            reposts: null,
            createdAtMs: NOW_MS - 1_000,
          },
        },
      },
      { kind: 'event', line: 4, event: { kind: 'deleted', platform: 'x', postId: '9' } },
    ]);
  });

  it('are the same for any split of the bytes, also within a character', async () => {
    const text = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify({ ...POST, postId: `${at}`, text: '🚀 до луны' }),
    ).join('\n');
    const whole = await read(text, 1e6);
    expect(whole.length).toBe(20);
    for (const sizeBytes of [1, 2, 3, 7, 64]) expect(await read(text, sizeBytes)).toEqual(whole);
  });

  it.each([
    ['an unknown platform', { ...POST, platform: 'myspace' }, /"platform"/],
    ['no id', { ...POST, postId: '' }, /"postId"/],
    ['an id with a space', { ...POST, postId: 'a b' }, /"postId"/],
    ['an author without an id', { ...POST, author: { handle: 'x' } }, /"author"/],
    ['absurd followers', { ...POST, author: { id: 'a', followers: 1e308 } }, /author.followers/],
    ['negative followers', { ...POST, author: { id: 'a', followers: -1 } }, /author.followers/],
    ['no text', { ...POST, text: null }, /"text"/],
    ['a time before all of this', { ...POST, createdAtMs: 5 }, /"createdAtMs"/],
    ['no time', { ...POST, createdAtMs: undefined }, /"createdAtMs"/],
    ['the future', { ...POST, createdAtMs: NOW_MS + 600_000 }, /future/],
    ['a list', [POST], /JSON object/],
  ])('are refused for %s, and the line says why', async (_, fields, message) => {
    expect(await faultOf(fields)).toMatch(message);
  });

  it('continue after invalid lines, which are reported by number', async () => {
    const long = JSON.stringify({ ...POST, text: 'x'.repeat(IMPORT_LINE_BYTES_MAX) });
    const lines = ['{', long, '['.repeat(50_000), '\u0000\uffff', JSON.stringify(POST)];
    const found = await read(lines.join('\n'), 4_096);
    expect(found.map(({ kind, line }) => [kind, line])).toEqual([
      ['fault', 1],
      ['fault', 2],
      ['fault', 3],
      ['fault', 4],
      ['event', 5],
    ]);
  });

  it('keep no more of an endless line than allowed', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = new Uint8Array(1_048_576).fill(120);
      for (let n = 0; n < 300; n++) yield chunk;
      yield Buffer.from(`\n${JSON.stringify(POST)}`);
    }
    const before = process.memoryUsage();
    const kinds: string[] = [];
    for await (const batch of readPosts(endless(), () => NOW_MS)) {
      kinds.push(...batch.map(({ kind }) => kind));
    }
    const after = process.memoryUsage();
    expect(kinds).toEqual(['fault', 'event']);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(50_000_000);
  });
});
