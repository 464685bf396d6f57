/** Writes the OpenAPI document of the service: `scripts/write-openapi.ts <path>`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fakeApiServer } from '../tests/support/fake-api-server.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: scripts/write-openapi.ts <path>');
  process.exit(2);
}
const server = fakeApiServer();
await server.ready();
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(server.swagger(), null, 2)}\n`);
await server.close();
