import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/config/version.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';

test('the committed OpenAPI document is what the service serves: "npm run openapi" renews it', async () => {
  const server = fakeApiServer({}, { version: VERSION });
  await server.ready();
  const served = JSON.stringify(server.swagger(), null, 2).split('\n');
  const committed = readFileSync('docs/openapi.json', 'utf8').trimEnd().split('\n');
  const index = committed.findIndex((line, place) => line !== served[place]);
  // The first line that differs, since the whole document would be the message otherwise.
  expect(served[index]).toBe(committed[index]);
  expect(served.length).toBe(committed.length);
});
