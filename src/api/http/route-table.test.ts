import { describe, expect, test } from 'vitest';
import { createRouteTable } from './route-table.ts';

describe('route table', () => {
  const table = createRouteTable();
  table.add('/v1/token/:token_address', 'GET', () => 'read');
  table.add('/v1/token/:token_address', ['HEAD', 'DELETE'], () => 'read');
  table.add('/docs/api/js/scalar.js', 'GET', () => 'public');
  table.add('/pages/*', ['GET'], () => 'public');

  test.each([
    ['/v1/token/abc', ['DELETE', 'GET', 'HEAD'], 'read'],
    ['/v1/token/abc?x=/y', ['DELETE', 'GET', 'HEAD'], 'read'],
    ['/v1/token/', ['DELETE', 'GET', 'HEAD'], 'read'],
    ['/docs/api/js/scalar.js', ['GET'], 'public'],
    ['/pages/any/path.md', ['GET'], 'public'],
    ['/pages/', ['GET'], 'public'],
  ] as const)('knows what answers at %s', (url, methods, access) => {
    expect(table.match(url)).toEqual({ methods, access });
  });

  test.each([
    '/',
    '/v1/token',
    '/v1/token/a/b',
    '/docs/api/js/scalarXjs',
    '/pages',
    '/x/v1/token/abc',
  ])('has no match for %s', (url) => {
    expect(table.match(url)).toBeNull();
  });
});
