import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config/version.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { withoutExamples } from '../support/without-examples.ts';

const run = promisify(execFile);
const SCRIPT = ['--disable-warning=ExperimentalWarning', 'scripts/write-openapi.ts'];
const RUN_MS = 400_000;

describe('scripts/write-openapi.ts', () => {
  test(
    'writes the committed documents, the examples of the first of which are answers of the demo market, byte for byte: "npm run openapi" writes them',
    async () => {
      const folder = temporaryFolder();
      const paths = ['openapi.json', 'asyncapi.json', 'postman.json'];
      await run(process.execPath, [...SCRIPT, ...paths.map((name) => join(folder, name))]);
      for (const name of paths) {
        const written = readFileSync(join(folder, name), 'utf8').split('\n');
        const committed = readFileSync(join('docs', name), 'utf8').split('\n');
        const index = committed.findIndex((line, place) => line !== written[place]);
        // The first line that differs, since the whole document would be the message otherwise.
        expect(written[index]).toBe(committed[index]);
        expect(written.length).toBe(committed.length);
      }
    },
    RUN_MS,
  );

  test('writes what a service of this version serves, but for the examples', async () => {
    const committed: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const served = await fakeApiServer({}, { version: VERSION }).inject('/openapi.json');
    expect(withoutExamples(committed)).toEqual(withoutExamples(served.json()));
    expect(committed).toMatchObject({ openapi: '3.1.0', info: { version: VERSION } });
  });

  test('says how it is used when it is given no path', async () => {
    await expect(run(process.execPath, SCRIPT)).rejects.toMatchObject({
      code: 2,
      stderr:
        'Usage: node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>] [<path of the collection>]\n',
    });
  });
});
