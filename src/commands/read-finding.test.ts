import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { fakeDetail } from '../../tests/support/fake-api-deps.ts';
import { presentDetail } from '../api/present/present-classification.ts';
import { UsageError } from '../model/errors.ts';
import { readFinding } from './read-finding.ts';

const published = presentDetail(fakeDetail());

describe('a finding in a file', () => {
  let path: string;

  beforeAll(() => {
    path = join(temporaryFolder(), 'finding.json');
  });

  const read = (text: string | Uint8Array) => {
    writeFileSync(path, text);
    return readFinding(path);
  };

  test('is read as returned by the service', () => {
    expect(read(JSON.stringify(published))).toEqual(published);
  });

  test.each([
    ['', 'is not JSON'],
    ['{"id":', 'is not JSON: the text ends in the middle (line 1).'],
    ['{\n"id": \u001b[31m}', 'is not JSON'],
    ['null', 'is not a response of GET /v1/fraud/classifications/{id}.'],
    ['[]', 'is not a response of'],
    ['{"code":404,"message":"no"}', 'is not a response of'],
    [JSON.stringify({ ...published, slot: '1010' }), '(see /slot)'],
    [JSON.stringify({ ...published, slot: Number.POSITIVE_INFINITY }), '(see /slot)'],
    [JSON.stringify({ ...published, fraud_type: 'other' }), '(see /fraud_type)'],
    [JSON.stringify({ ...published, involved_wallets: [{}] }), '(see /involved_wallets/0)'],
    [JSON.stringify({ ...published, features: [null] }), '(see /features/0)'],
    ['['.repeat(100_000), 'is not JSON'],
    [`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'is not a response of'],
  ])('that is invalid is refused in one clear sentence: %.40j', (text, sentence) => {
    expect(() => read(text)).toThrow(UsageError);
    expect(() => read(text)).toThrow(sentence);
    try {
      read(text);
    } catch (error) {
      // No raw text of the file reaches the terminal.
      expect(String(error)).toMatch(/^[\x20-\x7e]+$/);
      expect(String(error).length).toBeLessThan(400);
    }
  });

  test('that is missing, a folder or endless is refused', () => {
    expect(() => readFinding(join(temporaryFolder(), 'none.json'))).toThrow('cannot be read');
    expect(() => readFinding(temporaryFolder())).toThrow(UsageError);
    expect(() => read(new Uint8Array(16 * 2 ** 20 + 1))).toThrow('larger than any finding');
  });
});
