import { describe, expect, test } from 'vitest';
import { uuidV5 } from './uuid.ts';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('uuidV5', () => {
  test('gives the example of RFC 9562, appendix A.4', () => {
    expect(uuidV5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  test('differs for another name or another namespace', () => {
    const one = uuidV5(DNS, 'one');
    expect(uuidV5(DNS, 'other')).not.toBe(one);
    expect(uuidV5(one, 'one')).not.toBe(one);
  });

  test('rejects a namespace that is not a UUID', () => {
    expect(() => uuidV5('dns', 'www.example.com')).toThrow(TypeError);
  });
});
