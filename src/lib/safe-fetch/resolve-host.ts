import { Resolver } from 'node:dns/promises';

const TRIES = 2;
const TRY_TIMEOUT_MS = 1_500;

export interface ResolveHostSettings {
  /** Name servers with ports; those of the machine when left out. */
  readonly servers?: readonly string[];
  readonly tryTimeoutMs?: number;
}

/**
 * All addresses of a name as name servers answer, without this machine's own list of hosts. Names
 * of strangers are asked for so, because `lookup` holds a thread of the pool that all of the process
 * shares for as long as a stranger's name server keeps silent. None where nobody says.
 */
export function createResolveHost({
  servers,
  tryTimeoutMs = TRY_TIMEOUT_MS,
}: ResolveHostSettings = {}): (host: string) => Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    const found = await Promise.all([
      addressesOrNone(resolver.resolve4(host)),
      addressesOrNone(resolver.resolve6(host)),
    ]);
    return found.flat();
  };
}

/** Many names have addresses of one kind only. */
async function addressesOrNone(asked: Promise<string[]>): Promise<readonly string[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
