import { Resolver } from 'node:dns/promises';

const TRIES = 2;
const TRY_TIMEOUT_MS = 1_500;

export interface ResolveHostSettings {
  /** Name servers with ports. Default: those of the machine. */
  readonly servers?: readonly string[];
  readonly tryTimeoutMs?: number;
}

/**
 * Resolves all addresses of a name through name servers, ignoring the hosts file. Used for
 * untrusted names, because `lookup` occupies a thread of the process-wide pool for as long as the
 * name server does not answer. Returns an empty list if no server answers.
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

/** Many names have addresses of one family only. */
async function addressesOrNone(lookup: Promise<string[]>): Promise<readonly string[]> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
