import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config/version.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';

const run = promisify(execFile);
const SCRIPT = ['--disable-warning=ExperimentalWarning', 'scripts/write-openapi.ts'];

describe('scripts/write-openapi.ts', () => {
  test('writes the AsyncAPI document of this version to a second path', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'asyncapi.json');
    await run(process.execPath, [...SCRIPT, join(folder, 'openapi.json'), path]);
    const served = await fakeApiServer({}, { version: VERSION }).inject('/asyncapi.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(served.json());
  });

  test('writes the document that a service of this version serves', async () => {
    const path = join(temporaryFolder(), 'openapi.json');
    await run(process.execPath, [...SCRIPT, path]);
    const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const served = await fakeApiServer({}, { version: VERSION }).inject('/openapi.json');
    // The instants of the examples are those of the held data in a document that is served.
    expect(withoutExamples(written)).toEqual(withoutExamples(served.json()));
    expect(written).toMatchObject({ openapi: '3.1.0', info: { version: VERSION } });
  });

  test('says how it is used when it is given no path', async () => {
    await expect(run(process.execPath, SCRIPT)).rejects.toMatchObject({
      code: 2,
      stderr: 'Usage: node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>]\n',
    });
  });
});

function withoutExamples(document: unknown): unknown {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'example' || key === 'examples' ? undefined : value,
  );
  return JSON.parse(text);
}
