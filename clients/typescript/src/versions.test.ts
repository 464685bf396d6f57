import { expect, test } from 'vitest';
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
