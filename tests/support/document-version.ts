import { readFileSync } from 'node:fs';

/**
 * Version of the API that the clients are made of. They refuse a service of another major version, as
 * is the version that fake servers have otherwise.
 */
export const DOCUMENT_VERSION: string = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).info
  .version;
