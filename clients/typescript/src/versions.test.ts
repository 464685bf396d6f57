import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOCUMENT_VERSION } from '../../../tests/support/document-version.ts';
import { API_VERSION } from './api-version.ts';
import { VersionError } from './errors.ts';
import { compareVersions } from './versions.ts';

test.each([
  ['1.2.3', 'same'],
  ['1.2.4', 'service-newer'],
  ['1.10.0', 'service-newer'],
  ['1.2.2', 'service-older'],
  ['1.1.9', 'service-older'],
  ['1.2', 'unknown'],
  ['1.2.3-beta', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown'],
])('a service of version %s beside a client of 1.2.3 is: %s', (service, relation) => {
  expect(compareVersions(service, '1.2.3')).toEqual({ client: '1.2.3', service, relation });
});

test.each(['0.9.9', '2.0.0', '10.2.3'])('another major version is refused: %s', (service) => {
  expect(() => compareVersions(service, '1.2.3')).toThrow(VersionError);
});

test('this package is of the version of the documents that it is made of', () => {
  expect(API_VERSION).toBe(DOCUMENT_VERSION);
  const { version } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
  expect(version).toBe(DOCUMENT_VERSION);
});
