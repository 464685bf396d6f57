import { lookup } from 'node:dns/promises';

/**
 * Resolves all addresses of a name through the operating system, including its hosts file. Only for
 * names chosen by the operator: each lookup occupies a thread of the process-wide pool until the
 * name server answers. Throws the system's error for a name without an address.
 */
export async function lookUpLocally(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
