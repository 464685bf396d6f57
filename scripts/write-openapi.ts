/**
 * Writes the OpenAPI document to a file without starting a service, the AsyncAPI document if it is
 * given a second path, and a Postman collection of all requests if it is given a third one, so that
 * types and clients can be generated from them:
 * node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>] [<path of the collection>]
 *
 * The documents depend on the routes, and the examples of the first on the demo market, which is run
 * for them. A running service replaces the examples of parameters by what it holds.
 */
import { writeFileSync } from 'node:fs';
import { VERSION } from '../src/config/version.ts';
import { fakeApiServer } from '../tests/support/fake-api-server.ts';
import { answerHelp } from './answer-help.ts';
import { openDemoMarket } from './openapi/demo-market.ts';
import type { ExampleDocument } from './openapi/example-document.ts';
import { fillExamples } from './openapi/fill-examples.ts';
import { type CollectedDocument, toPostmanCollection } from './openapi/postman-collection.ts';

answerHelp(`Writes the OpenAPI document without starting a service.

  node scripts/write-openapi.ts <path>

Example, into docs/openapi.json:
  npm run openapi`);

const [path, asyncPath, collectionPath] = process.argv.slice(2);
if (path === undefined) {
  console.error(
    'Usage: node scripts/write-openapi.ts <path> [<path of the AsyncAPI document>] [<path of the collection>]',
  );
  process.exit(2);
}
if (asyncPath !== undefined) {
  const { body } = await fakeApiServer({}, { version: VERSION }).inject('/asyncapi.json');
  write(asyncPath, JSON.parse(body));
}
// The day of this process is that of the market, so that nothing in an answer depends on the clock.
const market = await openDemoMarket((timeMs) => {
  Date.now = () => timeMs;
});
const document: ExampleDocument = JSON.parse((await market.ask('GET', '/openapi.json')).text);
await fillExamples(document, market);
write(path, document);
if (collectionPath !== undefined) {
  write(collectionPath, toPostmanCollection(document as unknown as CollectedDocument));
}
await market.close();

function write(to: string, document: unknown): void {
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
