/**
 * Writes the OpenAPI document to a file without starting a service, so that types and clients can be
 * generated from it: node scripts/write-openapi.ts <path>
 *
 * The document depends on the routes, and its examples on the demo market, which is run for them. A
 * running service replaces the examples of parameters by what it holds.
 */
import { writeFileSync } from 'node:fs';
import { openDemoMarket } from './openapi/demo-market.ts';
import type { ExampleDocument } from './openapi/example-document.ts';
import { fillExamples } from './openapi/fill-examples.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: node scripts/write-openapi.ts <path>');
  process.exit(2);
}
// The day of this process is that of the market, so that nothing in an answer depends on the clock.
const market = await openDemoMarket((timeMs) => {
  Date.now = () => timeMs;
});
const document: ExampleDocument = JSON.parse((await market.ask('GET', '/openapi.json')).text);
await fillExamples(document, market);
writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
await market.close();
