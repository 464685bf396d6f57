import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { UsageError } from '../model/errors.ts';

/** NATS servers of one cluster and who asks them. */
export interface NatsServers {
  /** `host:port`, at least one. */
  readonly addresses: readonly string[];
  readonly user: string | null;
  readonly password: string | null;
  readonly token: string | null;
  readonly isEncrypted: boolean;
}

/** Longer than an election of the servers takes. */
const REQUEST_TIMEOUT_MS = 2_000;
const RECONNECT_MS = 250;

/**
 * The oldest version of NATS whose streams are safe in production: earlier ones could lose a stream
 * when servers restart.
 */
export const SAFE_NATS_VERSION = '2.10.23';

/**
 * Connects, and stays connected: a lost connection is restored for as long as the process runs. Waits
 * for the first server that answers until `signal` is aborted. Throws UsageError for refused
 * credentials.
 */
export async function connectToNats(
  servers: NatsServers,
  name: string,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting?: () => void },
): Promise<NatsConnection> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await connect(optionsOf(servers, name));
    } catch (error) {
      if (signal.aborted) throw error;
      if (isRefusal(error)) throw new UsageError(REFUSED, { cause: error });
      if (isFirst) onWaiting?.();
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}

const REFUSED =
  'The NATS server refuses the credentials: check user, password or token in MINTSCOPE_NATS_URL.';

function optionsOf(servers: NatsServers, name: string): NodeConnectionOptions {
  const { addresses, user, password, token, isEncrypted } = servers;
  return {
    servers: [...addresses],
    name,
    ...(user === null ? {} : { user, pass: password ?? '' }),
    ...(token === null ? {} : { token }),
    ...(isEncrypted ? { tls: {} } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    timeout: REQUEST_TIMEOUT_MS,
    pingInterval: 2_000,
    maxPingOut: 2,
  };
}

/** Whether a version is below `SAFE_NATS_VERSION`. */
export function isOldNats(version: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [one, other] = [numbers(version), numbers(SAFE_NATS_VERSION)];
  const index = other.findIndex((number, at) => number !== one[at]);
  return index >= 0 && !((one[index] ?? 0) > (other[index] ?? 0));
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'AuthorizationError';
}
