import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { chooseEncoding, readStaticFile } from './static-file.ts';

describe('readStaticFile', () => {
  const text = 'One sentence, said again. '.repeat(40);
  const fileOf = (stored: Readonly<Record<string, string>>, contentType: string) => {
    const folder = temporaryFolder();
    for (const [name, content] of Object.entries(stored))
      writeFileSync(join(folder, name), content);
    return readStaticFile(join(folder, 'page'), contentType, false);
  };

  test('sends a compressed form that is stored as it is', () => {
    const file = fileOf({ page: text, 'page.gz': 'short' }, 'text/html; charset=utf-8');
    expect(file.gzip).toEqual(Buffer.from('short'));
  });

  test('compresses a text without a stored form once, to bytes that say the same', () => {
    const { gzip, ...file } = fileOf({ page: text }, 'text/html; charset=utf-8');
    expect(gzip?.length).toBeLessThan(text.length / 4);
    expect(String(gunzipSync(gzip ?? Buffer.of()))).toBe(text);
    expect(file.br).toBeNull();
    const kept = fileOf({ page: text }, 'application/json');
    expect(kept.gzip).toBe(kept.gzip);
  });

  test('holds a text compressed alone once a client accepted that, and still has it as it is', () => {
    const file = fileOf({ page: text }, 'text/html; charset=utf-8');
    expect(file.heldBytes).toBe(text.length);
    const { gzip } = file;
    expect(file.heldBytes).toBe(gzip?.length);
    expect(String(file.plain)).toBe(text);
  });

  test('does not compress a picture', () => {
    expect(fileOf({ page: text }, 'image/png').gzip).toBeNull();
  });
});

describe('chooseEncoding', () => {
  const both = { br: Buffer.of(1), gzip: Buffer.of(2) };
  test.each([
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip', both, 'gzip'],
    ['BR;q=0.5', both, 'br'],
    ['br;q=0, gzip;q=1.0', both, 'gzip'],
    ['br;q=0.000', both, 'identity'],
    ['brotli', both, 'identity'],
    ['', both, 'identity'],
    [undefined, both, 'identity'],
    ['br, gzip', { br: null, gzip: Buffer.of(2) }, 'gzip'],
    ['br, gzip', { br: null, gzip: null }, 'identity'],
  ] as const)('%s', (accepted, file, expected) => {
    expect(chooseEncoding(accepted, file)).toBe(expected);
  });
});
