import { lookup } from 'node:dns/promises';

/**
 * All addresses of a name as this machine knows it, its own list of hosts included. For names that
 * the operator chose: each one takes a thread of the pool that the whole process shares for as long
 * as its name server keeps silent. Throws the system's error for a name without an address.
 */
export async function lookUpLocally(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
