/**
 * Writes the OpenAPI document to a file without starting a service, and the AsyncAPI document if it
 * is given a second path, so that types and clients can be generated from them:
 * node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>]
 *
 * The documents depend on the routes only. A running service replaces the examples of parameters by
 * what it holds.
 */
import { writeFileSync } from 'node:fs';
import { VERSION } from '../src/config/version.ts';
import { fakeApiServer } from '../tests/support/fake-api-server.ts';
import { answerHelp } from './answer-help.ts';

answerHelp(`Writes the OpenAPI document without starting a service.

  node scripts/write-openapi.ts <path>

Example, into docs/openapi.json:
  npm run openapi`);

const [path, asyncPath] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>]');
  process.exit(2);
}
const server = fakeApiServer({}, { version: VERSION });
await server.ready();
write(path, server.swagger());
if (asyncPath !== undefined) write(asyncPath, JSON.parse(server.asyncApi()));

function write(to: string, document: unknown): void {
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
