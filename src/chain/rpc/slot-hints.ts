import { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import { isSlot } from '../../model/units.ts';
import type { Endpoint } from './nodes/endpoint.ts';

export interface SlotHintsOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** A subscription that is silent for this long counts as dead, even if it is connected. */
  readonly silenceMs: number;
  /** Minimum pause between two attempts; doubles up to `backoffMaxMs`, plus jitter. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  readonly onSlot: (slot: number) => void;
}

/** Notifications are short; a longer message is invalid. */
const MESSAGE_BYTES_MAX = 64 * 1_024;
const HANDSHAKE_MS = 5_000;

/** The nodes to subscribe to. */
export interface HintingNodes {
  /** In order of preference. */
  readonly nodes: readonly { readonly endpoint: Endpoint }[];
}

/**
 * Subscribes to one node's `slotSubscribe`, and to the next one's when it is silent or cut.
 * Notifications are not trusted: they only trigger the next poll early. A dead connection is
 * replaced, with growing pauses until slots are received again: a connection that merely opens is
 * no success.
 */
export class SlotHints {
  private readonly pool: HintingNodes;
  private readonly options: SlotHintsOptions;
  private attemptCount = 0;

  constructor(pool: HintingNodes, options: SlotHintsOptions) {
    this.pool = pool;
    this.options = options;
  }

  /** Connections tried so far. */
  get attempts(): number {
    return this.attemptCount;
  }

  /** Listens until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, backoffMs, backoffMaxMs } = this.options;
    let failures = 0;
    while (!signal.aborted) {
      const { nodes } = this.pool;
      const node = nodes[this.attemptCount % nodes.length];
      const received = node === undefined ? 0 : await this.listen(node.endpoint, signal);
      failures = received > 0 ? 0 : failures + 1;
      const boundMs = Math.min(backoffMaxMs, backoffMs * 2 ** Math.min(failures, 20));
      await clock.sleep(backoffMs + boundMs * random(), signal);
    }
  }

  /** One connection, until it ends. Returns how many slots it reported. */
  private listen({ webSocketUrl, headers }: Endpoint, signal: AbortSignal): Promise<number> {
    this.attemptCount++;
    const socket = new WebSocket(webSocketUrl, {
      headers: { ...headers },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      followRedirects: false,
    });
    const end = () => socket.terminate();
    const silence = setTimeout(end, this.options.silenceMs);
    signal.addEventListener('abort', end, { once: true });
    return new Promise((resolve) => {
      let subscription: number | null = null;
      let received = 0;
      socket.on('open', () => socket.send(SUBSCRIBE));
      socket.on('message', (data) => {
        const message = readMessage(String(data));
        if (message.kind === 'refused') end();
        else if (message.kind === 'subscribed') subscription = message.subscription;
        else if (message.kind === 'slot' && message.subscription === subscription) {
          received++;
          silence.refresh();
          this.options.onSlot(message.slot);
        }
      });
      // Every error is followed by the close that ends this connection.
      socket.on('error', end);
      socket.on('close', () => {
        clearTimeout(silence);
        signal.removeEventListener('abort', end);
        resolve(received);
      });
    });
  }
}

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe', params: [] });

type Message =
  | { readonly kind: 'subscribed'; readonly subscription: number }
  | { readonly kind: 'slot'; readonly subscription: number; readonly slot: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'other' };

interface Wire {
  readonly id?: unknown;
  readonly error?: unknown;
  readonly result?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly subscription?: unknown;
    readonly result?: { slot?: unknown } | null;
  };
}

/** Any text may arrive: an unexpected message is `other`. */
function readMessage(text: string): Message {
  let wire: Wire | null;
  try {
    wire = JSON.parse(text) as Wire | null;
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'other' };
    throw error;
  }
  if (typeof wire !== 'object' || wire === null) return { kind: 'other' };
  if (wire.id === 1) {
    const { result } = wire;
    return isCount(result) ? { kind: 'subscribed', subscription: result } : { kind: 'refused' };
  }
  const subscription = wire.params?.subscription;
  const slot = wire.params?.result?.slot;
  const isHint = wire.method === 'slotNotification' && isCount(subscription) && isSlot(slot);
  return isHint ? { kind: 'slot', subscription, slot } : { kind: 'other' };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
