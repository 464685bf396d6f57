import { describe, expect, test } from 'vitest';
import { parseOrigins, targetFault, targetRules } from './webhook-target.ts';

const UNLESS_PRIVATE = ', unless --webhook-private-origins names its origin';

describe('the URL of a webhook', () => {
  test.each([
    ['https://example.com/hooks?a=b', null],
    ['https://example.com:443/', null],
    ['https://1.1.1.1/', null],
    ['http://example.com/', `must begin with https://${UNLESS_PRIVATE}`],
    ['data:text/plain,x', `must begin with https://${UNLESS_PRIVATE}`],
    ['ftp://example.com/', `must begin with https://${UNLESS_PRIVATE}`],
    ['nonsense', 'must be a URL'],
    ['https://user:secret@example.com/', 'must not hold a name or password'],
    ['https://example.com:8443/', `must have the port 443 or none${UNLESS_PRIVATE}`],
    ['https://localhost/', `must name a host of the open internet${UNLESS_PRIVATE}`],
    ['https://receiver/', `must name a host of the open internet${UNLESS_PRIVATE}`],
    ['https://127.0.0.1/', `must name a host of the open internet${UNLESS_PRIVATE}`],
    ['https://0x7f.1/', `must name a host of the open internet${UNLESS_PRIVATE}`],
    ['https://[::1]/', `must name a host of the open internet${UNLESS_PRIVATE}`],
    ['https://169.254.169.254/latest', `must name a host of the open internet${UNLESS_PRIVATE}`],
  ])('%s: %s', (url, fault) => {
    expect(targetFault(url, [])).toBe(fault);
  });

  test('may have a private origin only if the operator allowed it', () => {
    const origins = ['http://127.0.0.1:9000', 'http://receiver:8080'];
    expect(targetFault('http://receiver:8080/hook', origins)).toBeNull();
    expect(targetFault('http://receiver/hook', origins)).not.toBeNull();
    expect(targetFault('http://127.0.0.1:9000/hook', origins)).toBeNull();
    expect(targetFault('http://127.0.0.1:9001/hook', origins)).toBe(
      `must begin with https://${UNLESS_PRIVATE}`,
    );
    expect(targetFault('https://127.0.0.1:9000/hook', origins)).not.toBeNull();
    expect(targetRules('http://127.0.0.1:9000/', origins)).toMatchObject({ ports: [9_000] });
    expect(targetRules('https://example.com/', origins).isAddressAllowed('127.0.0.1')).toBe(false);
  });
});

test('private origins are a comma-separated list of scheme, host and port', () => {
  expect(parseOrigins('http://127.0.0.1:9000, https://hooks.corp.example')).toEqual([
    'http://127.0.0.1:9000',
    'https://hooks.corp.example',
  ]);
  const others = ['', 'true', '10.0.0.1', 'ftp://10.0.0.1', 'http://10.0.0.1/path', 'http://a:b@c'];
  for (const text of others) expect(parseOrigins(text)).toBeNull();
});
