/** Begins to gather a token's metadata and waits to be killed. Arguments: database, mint, URI. */
import type { Address } from '../../src/model/units.ts';
import { openTestGathering, tokenAt } from './test-gathering.ts';

const [, , path = '', mint = '', uri = ''] = process.argv;
const port = Number(new URL(uri).port);
const beside = openTestGathering({ path, ports: [port], fetch: { totalTimeoutMs: 60_000 } });
await beside.emit([tokenAt(mint as Address, uri)]);
