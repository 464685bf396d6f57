import { describe, expect, test } from 'vitest';
import { judgeVersionText } from './yellowstone-version.ts';

const nested = (given: object) =>
  JSON.stringify({
    version: { package: 'yellowstone-grpc-geyser', version: '15.1.1', ...given },
    extra: { hostname: 'a' },
  });
const kindOf = (text: string) => judgeVersionText(text).kind;

describe('the version text of a Yellowstone server', () => {
  test.each([
    ['12.6.0', 'new-enough'],
    ['12.6.0+solana.4.2.1', 'new-enough'],
    ['12.7.0', 'new-enough'],
    ['13.0.0-rc3', 'new-enough'],
    ['12.5.9', 'too-old'],
    ['11.0.0', 'too-old'],
    ['9.99.99', 'too-old'],
    ['1.15.0+solana.2.0.2', 'too-old'],
    ['twelve', 'unknown'],
    ['12.6', 'unknown'],
    ['12.6.0.1', 'unknown'],
    ['', 'unknown'],
  ])('with proto %j is %s', (proto, kind) => {
    expect(kindOf(nested({ proto, solana: '4.2.1' }))).toBe(kind);
  });

  test('is read from the older form as well', () => {
    // As the server answered in 2023 (rpcpool/yellowstone-grpc#130).
    const old =
      '{"version":"0.6.1+solana.1.15.2","proto":"1.1.0+solana.1.15.2","solana":"1.15.2","git":"dc8634b"}';
    expect(judgeVersionText(old)).toEqual({
      kind: 'too-old',
      shown: 'version 0.6.1+solana.1.15.2, proto 1.1.0+solana.1.15.2, solana 1.15.2',
    });
  });

  test('is too old below Agave 4, regardless of the rest', () => {
    expect(kindOf(nested({ solana: '3.1.8' }))).toBe('too-old');
    expect(kindOf(nested({ package: 'richat', solana: '3.1.8' }))).toBe('too-old');
    expect(kindOf(nested({ solana: '4.1.0' }))).toBe('unknown');
  });

  test('is unknown for a server with its own version numbers', () => {
    expect(kindOf(nested({ package: 'richat', proto: '11.0.0', solana: '4.2.1' }))).toBe('unknown');
  });

  test.each([
    '',
    'v15',
    '[]',
    '7',
    'null',
    '{}',
    '{"version":null}',
    '{"version":{"proto":7}}',
    '['.repeat(1e5),
  ])('is unknown in %s', (text) => {
    expect(kindOf(text)).toBe('unknown');
  });

  test('is shown short, and without control characters', () => {
    const { shown } = judgeVersionText(`\u001b[31m${'x'.repeat(1_000)}`);
    expect(shown).toMatch(/^\?\[31mx{75}$/);
  });
});
