import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METADATA_SIZE_MAX_BYTES, parseMetadata } from './parse-metadata.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (value: unknown) => parseMetadata(bytesOf(JSON.stringify(value)));

describe('S-13: metadata', () => {
  it('of the usual shape is read completely', () => {
    const fields = {
      name: 'Cat',
      symbol: 'CAT',
      description: 'a cat\nin two lines',
      image: 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG',
      website: 'https://cat.example',
      twitter: 'https://x.com/cat',
      telegram: 'https://t.me/cat',
    };
    expect(parse({ ...fields, extra: [1] })).toEqual({
      kind: 'metadata',
      ...fields,
      website: 'https://cat.example/',
      otherLinks: [],
      unusable: [],
    });
  });

  it.each([
    ['HTML', '<!doctype html><p>{}', 'not-json'],
    ['nothing', '', 'not-json'],
    ['NaN', '{"name":NaN}', 'not-json'],
    ['a number', '7', 'not-an-object'],
    ['null', 'null', 'not-an-object'],
    ['an array', '[{}]', 'not-an-object'],
    ['10,000 arrays in each other', '['.repeat(10_000) + ']'.repeat(10_000), 'not-an-object'],
    ['arrays that never end', '['.repeat(200_000), 'not-json'],
    ['a description of 1 MB', `{"description":"${'d'.repeat(1_048_576)}"}`, 'too-large'],
  ])('that is %s says so', (_, text, reason) => {
    expect(parseMetadata(bytesOf(text))).toEqual({ kind: 'unreadable', reason });
  });

  it('with a byte order mark or in UTF-16 is decoded; other bytes are not metadata', () => {
    const text = '{"name":"猫"}';
    expect(parseMetadata(bytesOf(`\ufeff${text}`))).toMatchObject({ name: '猫' });
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(parseMetadata(little)).toMatchObject({ name: '猫' });
    expect(parseMetadata(Buffer.from(little).swap16())).toMatchObject({ name: '猫' });
    expect(parseMetadata(Buffer.from([0x7b, 0x80, 0x7d]))).toMatchObject({ reason: 'not-text' });
  });

  it('with fields of other types has null for them, and lists them as unusable', () => {
    expect(
      parse({ name: { a: 1 }, symbol: 5, image: ['https://a.b'], website: 'no url' }),
    ).toMatchObject({
      name: null,
      symbol: null,
      image: null,
      website: null,
      unusable: ['name', 'symbol', 'image', 'website'],
    });
    expect(parse({ name: null, symbol: '' })).toMatchObject({
      name: null,
      symbol: null,
      unusable: [],
    });
  });

  it.each([{ a: 1 }, ['https://a.b'], 5, true, 'data:text/html,<b>', 'data:', 'data:image'])(
    'with %j for a picture has no picture, but its other fields',
    (image) => {
      expect(parse({ name: 'cat', image })).toMatchObject({
        kind: 'metadata',
        name: 'cat',
        image: null,
        unusable: ['image'],
      });
    },
  );

  it('of a million keys is refused by its size, before it is read', () => {
    const bytes = bytesOf(`{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":1`).join()}}`);
    const before = process.threadCpuUsage();
    expect(parseMetadata(bytes)).toEqual({ kind: 'unreadable', reason: 'too-large' });
    // Parsing it takes ten times as long.
    expect(process.threadCpuUsage(before).user).toBeLessThan(50_000);
  });

  it('keeps an embedded picture', () => {
    const image = `data:image/png;base64,${'A'.repeat(5_000)}`;
    expect(parse({ image })).toMatchObject({ image });
    expect(parse({ image: `https://a.b/${'c'.repeat(3_000)}` })).toMatchObject({ image: null });
  });

  it('has no picture or link with a scheme that could run or open something', () => {
    expect(
      parse({
        image: 'data:text/html,<script>',
        website: 'javascript:alert(1)',
        twitter: 'file:///etc/passwd',
        extensions: { discord: 'javascript:alert(1)' },
      }),
    ).toMatchObject({ image: null, website: null, twitter: null, otherLinks: [] });
  });

  it('has links also without a scheme or platform, and under other names', () => {
    expect(
      parse({
        twitter: '@cat_coin',
        telegram: 't.me/cat',
        external_url: 'https://cat.example/',
        discord: 'https://discord.gg/cat',
        extensions: { website: 'https://cat.example/', youtube: 'youtube.com/@cat' },
        socials: ['https://not.named/'],
      }),
    ).toMatchObject({
      twitter: 'https://x.com/cat_coin',
      telegram: 'https://t.me/cat',
      otherLinks: ['https://cat.example/', 'https://discord.gg/cat', 'https://youtube.com/@cat'],
    });
  });

  it('loses invisible and misleading characters: NULs, direction marks, lone surrogates', () => {
    expect(parse({ name: 'a\u0000b\u202etac', symbol: '\u0000' })).toMatchObject({
      name: 'abtac',
      symbol: null,
      unusable: ['symbol'],
    });
    // All twelve marks of direction (Unicode UAX #9, Bidi_Control).
    const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    expect(parse({ description: `a${marks}b` })).toMatchObject({ description: 'ab' });
    expect(parse({ name: 'n'.repeat(500) })).toMatchObject({ name: 'n'.repeat(128) });
  });

  it('reads nothing from a prototype, and changes none', () => {
    expect(parseMetadata(bytesOf('{"__proto__":{"name":"evil","polluted":1}}'))).toMatchObject({
      name: null,
    });
    expect('polluted' in {}).toBe(false);
  });

  it('with very many keys is read in bounded time', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',');
    const bytes = bytesOf(`{${keys},"name":"x"}`);
    expect(bytes.length).toBeLessThan(METADATA_SIZE_MAX_BYTES);
    expect(parseMetadata(bytes)).toMatchObject({ name: 'x' });
  });

  it('never throws for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(bytesOf)), (bytes) => {
        expect(['metadata', 'unreadable']).toContain(parseMetadata(bytes).kind);
      }),
    );
  });
});
