import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asyncApiDocument } from '../../src/api/server/asyncapi.ts';
import { VERSION } from '../../src/config/version.ts';

test('the committed AsyncAPI document is what the service serves: "npm run openapi" writes it', () => {
  const served = JSON.stringify(asyncApiDocument(VERSION), null, 2).split('\n');
  const committed = readFileSync('docs/asyncapi.json', 'utf8').trimEnd().split('\n');
  const index = committed.findIndex((line, place) => line !== served[place]);
  // The first line that differs, since the whole document would be the message otherwise.
  expect(served[index]).toBe(committed[index]);
  expect(served.length).toBe(committed.length);
});
