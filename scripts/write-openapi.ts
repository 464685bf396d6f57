/**
 * Writes the OpenAPI document to a file without starting a service, so that types and clients can be
 * generated from it: node scripts/write-openapi.ts <path>
 *
 * The document depends on the routes only. A running service replaces the examples of parameters by
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

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: node scripts/write-openapi.ts <path>');
  process.exit(2);
}
const server = fakeApiServer({}, { version: VERSION });
await server.ready();
writeFileSync(path, `${JSON.stringify(server.swagger(), null, 2)}\n`);
